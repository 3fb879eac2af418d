import RTP

/// The schedule of key frame requests to the publisher of one layer.
///
/// One key frame serves all receivers, so only one request is pending at a time. The router repeats
/// the request every ``Intervals/again`` until the key frame arrives. Afterwards, the ``Need``
/// determines the minimum time between the last request and the next request.
///
/// The minimum of a second limits how fast a receiver can change layers. If the age of the last
/// request for the wanted layer is `t`, the change takes up to a second minus `t`, plus the time
/// until the key frame arrives. A single change, and a change back by the same receiver, take less
/// than a second (``KeyFrameRequestPace``). A change directly after another receiver's key frame
/// can take longer, because the publisher gets no second request within the second.
struct KeyFrameRequests: Sendable {
  /// The reason for a key frame request.
  enum Need: Hashable, Sendable {
    /// A receiver gets the source for the first time, or the publisher has restarted.
    ///
    /// Without a key frame, the receiver shows nothing. A receiver has this need only once for each
    /// track, so a receiver cannot cause many such requests.
    case fresh

    /// Packets of the publisher are missing, or a receiver that had the source before requests a
    /// key frame, gets the source again, or changes layers.
    ///
    /// A receiver can cause such requests again and again. Each key frame needs bandwidth of the
    /// publisher and of all other receivers, so these requests have the longer interval.
    case again
  }

  /// The minimum times between two requests.
  struct Intervals: Hashable, Sendable {
    /// The interval at which the router repeats a request until the key frame arrives. Also the
    /// minimum time for ``Need/again``.
    var again: Duration = .seconds(1)

    /// The minimum time for ``Need/fresh``.
    ///
    /// With a second, a receiver that joins shortly after another receiver would wait up to a
    /// second for its first picture, although its link has room.
    var fresh: Duration = .milliseconds(100)

    /// The minimum time between requests for different layers of a source, if the publisher has
    /// answered the first request (see ``KeyFrameRequestPace``).
    var layers: Duration = .milliseconds(350)
  }

  private let intervals: Intervals

  /// The time of the last request that the present stream of the publisher may answer.
  private var lastSent: MonotonicTime?

  /// The time at which to send or repeat the request; `nil` if no receiver needs a key frame.
  private(set) var due: MonotonicTime?

  /// The most urgent reason for the next request; `nil` if no receiver needs a key frame.
  private(set) var need: Need?

  /// The number of requests sent so far.
  private(set) var count = 0

  private var isUnderWay = false

  init(_ intervals: Intervals) { self.intervals = intervals }

  /// Schedules a request for a key frame.
  mutating func need(_ need: Need, at now: MonotonicTime) {
    // A pending request serves all receivers.
    let wait = isUnderWay ? intervals.again : interval(for: need)
    let earliest = lastSent.map { max(now, $0.advanced(byUs: wait.wholeUs)) } ?? now
    due = due.map { min($0, earliest) } ?? earliest
    self.need = self.need == .fresh ? .fresh : need
  }

  private func interval(for need: Need) -> Duration {
    switch need {
    case .fresh: intervals.fresh
    case .again: intervals.again
    }
  }

  /// Returns whether to send a request now, and schedules the repetition of this request.
  mutating func take(at now: MonotonicTime) -> Bool {
    guard let due, due <= now else { return false }
    lastSent = now
    isUnderWay = true
    self.due = now.advanced(byUs: intervals.again.wholeUs)
    count += 1
    return true
  }

  /// Ends the pending request, because the first packet of a key frame has arrived.
  mutating func keyFrameCame() {
    isUnderWay = false
    (due, self.need) = (nil, nil)
  }

  /// Cancels the request, because no receiver waits for a key frame any more.
  mutating func cancel() {
    (due, self.need) = (nil, nil)
    isUnderWay = false
  }

  /// Schedules a request to a stream that has restarted. The restarted stream does not answer the
  /// pending request, so the new request does not wait for the repetition.
  mutating func restart(at now: MonotonicTime) {
    isUnderWay = false
    need(.fresh, at: now)
  }

  /// Forgets the requests over a former connection of the publisher. The pending request may have
  /// been lost with this connection, so the next ``need(_:at:)`` schedules a request immediately.
  mutating func forgetSent() {
    isUnderWay = false
    lastSent = nil
  }
}
