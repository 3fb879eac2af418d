import RTP

/// The schedule of key frame requests to the publisher of one layer.
///
/// One key frame serves all receivers, so only one request is pending at a time. The router repeats
/// the request every ``Intervals/pending`` until the key frame arrives. Afterwards, the ``Need``
/// determines the minimum time between the last request and the next request.
struct KeyFrameRequests: Sendable {
  /// The reason for a key frame request.
  enum Need: Hashable, Sendable {
    /// A receiver gets the source for the first time, or the publisher has restarted.
    ///
    /// Without a key frame, the receiver shows nothing.
    case fresh

    /// Packets of the publisher are missing.
    case gap

    /// A receiver had the source before: it requests a key frame, gets the source again, or changes
    /// layers.
    ///
    /// A receiver can cause such requests again and again. Each key frame needs bandwidth of the
    /// publisher and of all other receivers, so these requests have the longest interval.
    case again
  }

  /// The minimum times between two requests.
  struct Intervals: Hashable, Sendable {
    /// The interval at which the router repeats a request until the key frame arrives. Also the
    /// interval for ``Need/gap``.
    var pending: Duration = .milliseconds(500)

    var fresh: Duration = .milliseconds(100)
    var again: Duration = .seconds(1)
  }

  private let intervals: Intervals
  private var lastSent: MonotonicTime?

  /// The time at which to send or repeat the request; `nil` if no receiver needs a key frame.
  private(set) var due: MonotonicTime?

  /// The number of requests sent so far.
  private(set) var count = 0

  init(_ intervals: Intervals) { self.intervals = intervals }

  /// Schedules a request for a key frame.
  mutating func need(_ need: Need, at now: MonotonicTime) {
    let wait = wait(for: need)
    let earliest = lastSent.map { max(now, $0.advanced(byUs: wait)) } ?? now
    due = due.map { min($0, earliest) } ?? earliest
    // A pending request serves all receivers.
    if isUnderWay, let lastSent { due = lastSent.advanced(byUs: intervals.pending.wholeUs) }
  }

  private func wait(for need: Need) -> Int64 {
    switch need {
    case .fresh: intervals.fresh.wholeUs
    case .gap: intervals.pending.wholeUs
    case .again: intervals.again.wholeUs
    }
  }

  private var isUnderWay = false

  /// Returns whether to send a request now, and schedules the repetition of this request.
  mutating func take(at now: MonotonicTime) -> Bool {
    guard let due, due <= now else { return false }
    lastSent = now
    isUnderWay = true
    self.due = now.advanced(byUs: intervals.pending.wholeUs)
    count += 1
    return true
  }

  /// Ends the pending request, because the first packet of a key frame has arrived.
  mutating func keyFrameCame() {
    isUnderWay = false
    due = nil
  }

  /// Cancels the request, because no receiver waits for a key frame any more.
  mutating func cancel() {
    due = nil
    isUnderWay = false
  }
}
