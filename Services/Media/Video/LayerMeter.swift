import RTP

/// The measured state of one incoming layer.
struct LayerMeter: Sendable {
  /// The state of a layer in reports to `video-tiles`.
  struct State: Hashable, Sendable {
    var isFlowing = false
    var bitsPerSecond = 0
    var framesPerSecond = 0

    /// The width of the last key frame, in pixels; 0 before the first key frame.
    var width = 0
    var height = 0

    /// The number of temporal layers in the packets of the last two seconds in which packets
    /// arrived.
    var temporalLayers = 1
  }

  private var bytes = RateMeter()
  private var frames = RateMeter()
  private var lastPacket: MonotonicTime?
  private var lastTimestamp: UInt32?
  private var size = (width: 0, height: 0)
  private var temporalLayers = TemporalLayerMeter()
  private var told: (state: State, at: MonotonicTime)?

  mutating func receive(bytes count: Int, timestamp: UInt32, at now: MonotonicTime) {
    bytes.add(count, at: now)
    lastPacket = now
    guard timestamp != lastTimestamp else { return }
    // A late packet of an older frame does not begin a new frame.
    if let lastTimestamp, Int32(bitPattern: timestamp &- lastTimestamp) < 0 { return }
    lastTimestamp = timestamp
    frames.add(1, at: now)
  }

  /// Updates the number of temporal layers with the temporal layer of a packet.
  mutating func count(temporalLayer: UInt8, at now: MonotonicTime) {
    temporalLayers.receive(temporalLayer, at: now)
  }

  mutating func keyFrame(width: Int, height: Int) {
    if width > 0, height > 0 { size = (width, height) }
  }

  /// Whether a packet of the layer has ever arrived.
  var hasReceived: Bool { lastPacket != nil }

  /// Returns whether a packet arrived within the last second.
  func isFlowing(at now: MonotonicTime) -> Bool {
    lastPacket.map { now.microseconds(since: $0) < 1_000_000 } ?? false
  }

  mutating func state(at now: MonotonicTime) -> State {
    State(
      isFlowing: isFlowing(at: now),
      bitsPerSecond: bytes.perSecond(at: now) * 8, framesPerSecond: frames.perSecond(at: now),
      width: size.width, height: size.height, temporalLayers: temporalLayers.count)
  }

  /// Forgets the reported state, because `video-tiles` has lost it.
  mutating func forgetReported() { told = nil }

  /// Returns the state if a report of the state is due.
  ///
  /// The caller reports the state once a second, and whenever the flow begins or ends or the size
  /// changes. The service repeats an unchanged state, because `video-tiles` drops the state of a
  /// source that `video-tiles` does not know yet.
  mutating func takeChange(at now: MonotonicTime) -> State? {
    let state = state(at: now)
    if let told {
      let isOther =
        state.isFlowing != told.state.isFlowing || state.width != told.state.width
        || state.height != told.state.height
        || state.temporalLayers != told.state.temporalLayers
      let isTime = now.microseconds(since: told.at) >= 1_000_000
      guard isOther || isTime else { return nil }
    }
    told = (state, now)
    return state
  }
}
