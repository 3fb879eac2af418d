import RTP

/// The pace of the key frame requests to one publisher, for all layers of a source together.
///
/// Browsers answer a request for one layer with key frames in all layers, and then ignore each
/// request of the next 300 ms. ``KeyFrameRequests`` repeats an ignored request only after a second,
/// so a change of layers would take longer than a second. The router therefore delays such a
/// request until the browser answers it.
///
/// Other publishers answer each request, but only with one layer. If a receiver of their video
/// changes to another layer and back, the second change waits until a second has passed since the
/// last request for this layer. A delay of the first change shortens this wait: each of the two
/// changes then takes about 0.5 s.
struct KeyFrameRequestPace: Sendable {
  /// Whether the publisher ignores early requests, so that even the first request for a new
  /// receiver must wait.
  var ignoresEarlyRequests = false

  private var lastSent: MonotonicTime?
  private var isAnswered = false

  /// Returns whether the router may send a request now.
  ///
  /// A request may follow immediately if no key frame has arrived since the last request. The
  /// publisher then may not have received the last request. If it has, the new request is harmless:
  /// the key frames of all layers follow.
  func allows(
    _ need: KeyFrameRequests.Need?, _ intervals: KeyFrameRequests.Intervals, at now: MonotonicTime
  ) -> Bool {
    guard isAnswered, let lastSent, need != .fresh || ignoresEarlyRequests else { return true }
    return now - lastSent >= intervals.layers
  }

  mutating func noteRequest(at now: MonotonicTime) { (lastSent, isAnswered) = (now, false) }

  /// Records the arrival of a key frame in any layer.
  mutating func noteKeyFrame() { isAnswered = true }

  /// Forgets the requests over a former connection of the publisher, or for former layers.
  mutating func forgetSent() { (lastSent, isAnswered) = (nil, false) }
}
