/// Whether a delay that stands is a queue or the way itself.
///
/// Both look the same from outside: a way that became longer, because a phone went to another
/// network, is a queue that never ends, and who gives way to it gives up all there is. So once a
/// delay has stood for a while, or ten seconds after the last time, as little as possible is sent
/// until what is under way has arrived: what packets take then is the way. (TCP's BBR measures its
/// least round trip alike.)
struct PathCheck: Sendable {
  /// How long packets took when nothing of ours waited on the way, in microseconds.
  struct Finding: Sendable {
    /// By the difference of both clocks.
    var transit: Int64
    /// From sending to the feedback.
    var trip: Int64
  }

  private enum State: Sendable {
    case resting
    /// As little as possible is sent, until so much has arrived that the rest cannot make a queue.
    case draining(until: Int64)
    /// What is sent from a moment on counts.
    case measuring(since: Int64, until: Int64, Finding?, packets: Int)
  }

  private let rules: FeedbackRules
  private var state = State.resting
  private var standingSince: Int64?
  private var ended: (at: Int64, rate: Double)?

  init(_ rules: FeedbackRules) { self.rules = rules }

  /// As little as possible is to be sent.
  var isRunning: Bool {
    if case .resting = state { return false }
    return true
  }

  /// A feedback came.
  ///
  /// - Parameters:
  ///   - isDelayed: All its packets found a queue, or seemed to.
  ///   - rate: What the link is taken for, in bits per second.
  mutating func note(isDelayed: Bool, rate: Double, at now: MediaTime) {
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

  /// A rate that has fallen much since the last time may have fallen for nothing.
  private func isDue(rate: Double, at now: MediaTime) -> Bool {
    guard let ended else { return true }
    let pause = rate < ended.rate * 0.7 ? rules.fallenCheckInterval : rules.checkInterval
    return now.microseconds - ended.at >= pause.wholeUs
  }

  /// A packet arrived.
  mutating func take(_ arrival: PacketArrival, at now: MediaTime) {
    guard case .measuring(let since, let until, var finding, let packets) = state,
      arrival.sentAt >= since
    else { return }
    let trip = now.microseconds - arrival.sentAt
    finding = Finding(
      transit: min(finding?.transit ?? .max, arrival.transit),
      trip: min(finding?.trip ?? .max, trip))
    state = .measuring(since: since, until: until, finding, packets: packets + 1)
  }

  /// Time passes.
  ///
  /// - Parameters:
  ///   - bytesInFlight: What is under way.
  ///   - rate: What the link is taken for, in bits per second.
  /// - Returns: What was found, once.
  mutating func advance(to now: MediaTime, bytesInFlight: Int, rate: Double) -> Finding? {
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

  private mutating func end(rate: Double, at now: MediaTime) {
    state = .resting
    standingSince = nil
    ended = (now.microseconds, rate)
  }
}
