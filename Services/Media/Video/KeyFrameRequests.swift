import RTP

/// When to ask a publisher for a key frame of one layer.
///
/// One key frame serves all receivers, so one request at a time is pending. The request is repeated
/// every ``Intervals/pending`` until the key frame arrives. After that, the ``Need`` decides how
/// soon the next request may follow the last one.
struct KeyFrameRequests: Sendable {
  /// Why somebody needs a key frame.
  enum Need: Hashable, Sendable {
    /// A receiver takes the source for the first time, or the publisher began again: without a key
    /// frame, there is no picture.
    case fresh

    /// Packets of the publisher are lost.
    case gap

    /// A receiver had its chance before: it asks for a key frame, takes the source again, or
    /// changes layers. A receiver can do that without end, and key frames cost the publisher and
    /// all other receivers, so these requests are the rarest.
    case again
  }

  /// The shortest times between two requests.
  struct Intervals: Hashable, Sendable {
    /// While the key frame has not arrived, and after a ``Need/gap``.
    var pending: Duration = .milliseconds(500)

    var fresh: Duration = .milliseconds(100)
    var again: Duration = .seconds(1)
  }

  private let intervals: Intervals
  private var lastSent: MediaTime?

  /// When the request goes out, or again. `nil`: nobody needs one.
  private(set) var due: MediaTime?

  /// Sent since the beginning.
  private(set) var count = 0

  init(_ intervals: Intervals) { self.intervals = intervals }

  /// Somebody needs a key frame.
  mutating func need(_ need: Need, at now: MediaTime) {
    let wait = wait(for: need)
    let earliest = lastSent.map { max(now, $0.advanced(byUs: wait)) } ?? now
    due = due.map { min($0, earliest) } ?? earliest
    // A request that is under way serves all.
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

  /// - Returns: Whether to ask now.
  mutating func take(at now: MediaTime) -> Bool {
    guard let due, due <= now else { return false }
    lastSent = now
    isUnderWay = true
    self.due = now.advanced(byUs: intervals.pending.wholeUs)
    count += 1
    return true
  }

  /// A key frame began.
  mutating func keyFrameCame() {
    isUnderWay = false
    due = nil
  }

  /// Nobody waits any more.
  mutating func cancel() {
    due = nil
    isUnderWay = false
  }
}
