/// A check of whether a queue or the path itself causes a lasting delay.
///
/// A sender cannot distinguish a queue from a longer path by the delay alone. A longer path, for
/// example after a phone changed networks, looks like a queue that never drains. A sender that
/// mistakes a longer path for a queue reduces its rate again and again, to almost nothing.
///
/// So a check starts when a delay has lasted for some time, and when at least 10 s have passed
/// since the last check. After a large fall of the estimate, 1 s since the last check is enough.
/// The sender sends as little as possible until the packets in flight have arrived. The delay of
/// the packets that the sender sends afterwards is the delay of the path. (TCP's BBR measures its
/// minimum round trip in the same way.)
struct StandingQueueCheck: Sendable {
  /// The delay of packets while this sender's packets form no queue, in microseconds.
  struct BaseDelay: Sendable {
    /// The transit time plus the difference of both clocks.
    var transit: Int64
    /// The time from the sending of a packet to the arrival of its feedback.
    var trip: Int64
  }

  private enum State: Sendable {
    case resting
    /// The sender sends as little as possible until the packets in flight are too few to form a
    /// queue.
    case draining(until: Int64)
    /// The check measures packets from this time on.
    case measuring(since: Int64, until: Int64, BaseDelay?, packets: Int)
  }

  private let rules: FeedbackEstimatorParameters
  private var state = State.resting
  private var standingSince: Int64?
  private var ended: (at: Int64, rate: Double)?

  init(_ rules: FeedbackEstimatorParameters) { self.rules = rules }

  /// Whether the sender must send as little as possible.
  var isRunning: Bool {
    if case .resting = state { return false }
    return true
  }

  /// Records a feedback message.
  ///
  /// - Parameters:
  ///   - isDelayed: Whether all packets of the feedback message were delayed, by a queue or a
  ///     longer path.
  ///   - rate: The estimated capacity in bit/s.
  mutating func note(isDelayed: Bool, rate: Double, at now: MonotonicTime) {
    guard isDelayed else {
      standingSince = nil
      return
    }
    let since = standingSince ?? now.microseconds
    standingSince = since
    guard !isRunning, now.microseconds - since >= rules.standingTime.wholeUs,
      isDue(rate: rate, at: now)
    else { return }
    state = .draining(until: now.microseconds + rules.longestCheck.wholeUs)
  }

  /// Returns whether a check is due. After a large fall of the estimate, the next check is due
  /// earlier, because the fall may be wrong.
  private func isDue(rate: Double, at now: MonotonicTime) -> Bool {
    guard let ended else { return true }
    let pause = rate < ended.rate * 0.7 ? rules.fallenCheckInterval : rules.checkInterval
    return now.microseconds - ended.at >= pause.wholeUs
  }

  /// Records the arrival of a packet.
  mutating func take(_ arrival: PacketArrival, at now: MonotonicTime) {
    guard case .measuring(let since, let until, var finding, let packets) = state,
      arrival.sentAt >= since
    else { return }
    let trip = now.microseconds - arrival.sentAt
    finding = BaseDelay(
      transit: min(finding?.transit ?? .max, arrival.transit),
      trip: min(finding?.trip ?? .max, trip))
    state = .measuring(since: since, until: until, finding, packets: packets + 1)
  }

  /// Advances the check.
  ///
  /// - Parameters:
  ///   - bytesInFlight: The bytes in flight.
  ///   - rate: The estimated capacity in bit/s.
  /// - Returns: The measured delay, if this call ends the check with a measurement; otherwise
  ///   `nil`.
  mutating func advance(to now: MonotonicTime, bytesInFlight: Int, rate: Double) -> BaseDelay? {
    switch state {
    case .resting: return nil
    case .draining(let until):
      if bytesInFlight <= rules.leastWindow {
        state = .measuring(
          since: now.microseconds, until: now.microseconds + rules.longestCheck.wholeUs, nil,
          packets: 0)
      } else if now.microseconds > until {
        end(rate: rate, at: now)
      }
      return nil
    case .measuring(_, let until, let finding, let packets):
      guard packets >= rules.checkedPackets || now.microseconds > until else { return nil }
      end(rate: rate, at: now)
      return packets >= rules.checkedPackets ? finding : nil
    }
  }

  private mutating func end(rate: Double, at now: MonotonicTime) {
    state = .resting
    standingSince = nil
    ended = (now.microseconds, rate)
  }
}
