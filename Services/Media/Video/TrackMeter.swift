import RTP

/// What one incoming layer really is.
struct TrackMeter: Sendable {
  /// What video-tiles is told of a track.
  struct State: Hashable, Sendable {
    var isFlowing = false
    var bitsPerSecond = 0
    var framesPerSecond = 0

    /// The width of the last key frame, in pixels; 0 before one.
    var width = 0
    var height = 0
  }

  private var bytes = RateMeter()
  private var frames = RateMeter()
  private var lastPacket: MediaTime?
  private var lastTimestamp: UInt32?
  private var size = (width: 0, height: 0)
  private var told: (state: State, at: MediaTime)?

  mutating func receive(bytes count: Int, timestamp: UInt32, at now: MediaTime) {
    bytes.add(count, at: now)
    lastPacket = now
    guard timestamp != lastTimestamp else { return }
    // A late packet of an older frame is none of a new one.
    if let lastTimestamp, Int32(bitPattern: timestamp &- lastTimestamp) < 0 { return }
    lastTimestamp = timestamp
    frames.add(1, at: now)
  }

  mutating func keyFrame(width: Int, height: Int) {
    if width > 0, height > 0 { size = (width, height) }
  }

  /// Whether a packet came within the last second.
  func isFlowing(at now: MediaTime) -> Bool {
    lastPacket.map { now.microseconds(since: $0) < 1_000_000 } ?? false
  }

  mutating func state(at now: MediaTime) -> State {
    State(
      isFlowing: isFlowing(at: now),
      bitsPerSecond: bytes.perSecond(at: now) * 8, framesPerSecond: frames.perSecond(at: now),
      width: size.width, height: size.height)
  }

  /// Whoever was told has forgotten it.
  mutating func forgetReported() { told = nil }

  /// What to tell, if it is news: at once when it begins, ends or changes size, and once a second
  /// what did not change too: video-tiles may have been told before it knew the source.
  mutating func takeChange(at now: MediaTime) -> State? {
    let state = state(at: now)
    if let told {
      let isOther =
        state.isFlowing != told.state.isFlowing || state.width != told.state.width
        || state.height != told.state.height
      let isTime = now.microseconds(since: told.at) >= 1_000_000
      guard isOther || isTime else { return nil }
    }
    told = (state, now)
    return state
  }
}
