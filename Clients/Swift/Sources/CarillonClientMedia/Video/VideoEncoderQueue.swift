internal import CarillonClientCore
internal import Dispatch
internal import Synchronization
internal import VPX

/// The encoding of the local video on its own queue. A new frame replaces a frame that still waits.
///
/// `@unchecked Sendable` because only the queue uses `layers`; the rest is constant or guarded by
/// the lock.
final class VideoEncoderQueue: @unchecked Sendable {
  /// An encoded frame of one layer, ready to send.
  struct Output: Sendable {
    let layer: Int
    let frame: VP8Frame
    /// The timestamp in ticks of 1/90,000 s.
    let timestamp: Int64
    /// The clockwise rotation to apply before display.
    let rotation: VideoRotation
  }

  private struct State {
    var isOpen = true
    /// Whether the connection can send encoded frames.
    var isActive = false
    var waiting: MainQueueBox<VideoFrame>?
    var isBusy = false
    /// The layers whose next frame must be a key frame.
    var keyFrames: Set<Int>
    /// The bitrate of each layer, in bit/s; 0 for a disabled layer. An empty array means the
    /// declared bitrates.
    var rates: [Int] = []
    /// Whether the encoding drops frames, because the uplink's backlog is too long.
    var isCongested = false
    /// The number of frames that the encoding dropped because of congestion since the last encoded
    /// frame.
    var leftOut = 0
  }

  /// A frame to encode, with its settings.
  private struct Work: Sendable {
    let frame: MainQueueBox<VideoFrame>
    let keyFrames: Set<Int>
    let rates: [Int]
    let leftOut: Int
  }

  let publication: VideoPublication
  private let layers: [LayerEncoder]
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "carillon.video.encode")
  private let deliver: @Sendable ([Output]) -> Void

  /// - Parameter deliver: Receives the encoded layers of one frame, on the queue.
  init(_ publication: VideoPublication, deliver: @escaping @Sendable ([Output]) -> Void) {
    self.publication = publication
    self.deliver = deliver
    let isScreen = publication.hint == .text || publication.hint == .detail
    layers = publication.layers.map { LayerEncoder($0, isScreen: isScreen) }
    state = Mutex(State(keyFrames: []))
  }

  /// Queues the next frame. Any thread may call this method.
  func encode(_ frame: VideoFrame) {
    let frame = MainQueueBox(value: frame)
    let isFirst = state.withLock { state in
      guard state.isOpen, state.isActive else { return false }
      guard !state.isCongested else {
        state.leftOut += 1
        return false
      }
      state.waiting = frame
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if isFirst { queue.async { [self] in encodeWaiting() } }
  }

  /// Makes the next frame of a layer a key frame.
  func requestKeyFrame(ofLayer layer: Int) {
    state.withLock { _ = $0.keyFrames.insert(layer) }
  }

  /// Starts the encoding, beginning with key frames, or pauses the encoding.
  func setActive(_ isActive: Bool) {
    state.withLock { state in
      guard isActive != state.isActive else { return }
      state.isActive = isActive
      if isActive { state.keyFrames = Set(layers.indices) }
    }
  }

  /// Sets the bitrates of the layers, in bit/s; 0 disables a layer.
  ///
  /// A layer that becomes enabled again begins with a key frame.
  func setRates(_ rates: [Int]) {
    state.withLock { state in
      guard rates != state.rates else { return }
      for (index, rate) in rates.enumerated() where rate > 0 {
        if state.rates.indices.contains(index), state.rates[index] == 0 {
          state.keyFrames.insert(index)
        }
      }
      state.rates = rates
    }
  }

  /// Sets whether the encoder drops frames before it encodes them.
  func setCongested(_ isCongested: Bool) { state.withLock { $0.isCongested = isCongested } }

  /// Stops the delivery permanently.
  func close() {
    state.withLock { $0 = State(isOpen: false, isBusy: $0.isBusy, keyFrames: []) }
  }

  private func encodeWaiting() {
    while let work = takeWaiting() {
      let outputs = encode(work.frame.value, work)
      if !outputs.isEmpty, state.withLock({ $0.isOpen }) { deliver(outputs) }
    }
  }

  private func takeWaiting() -> Work? {
    state.withLock { state in
      guard let frame = state.waiting.take() else {
        state.isBusy = false
        return nil
      }
      defer { state.leftOut = 0 }
      return Work(
        frame: frame, keyFrames: state.keyFrames, rates: state.rates, leftOut: state.leftOut)
    }
  }

  private func encode(_ frame: VideoFrame, _ work: Work) -> [Output] {
    // This division drops the fraction of a tick, because the ticks only need to ascend.
    let timestamp =
      frame.timestampNs / 1_000_000 * 90 + frame.timestampNs % 1_000_000 * 90 / 1_000_000
    if let recorded = frame.buffer as? RecordingPlaybackBuffer {
      let isForced = work.keyFrames.contains(0)
      return take(recorded, timestamp, frame.rotation, isForced: isForced)
    }
    guard let picture = I420Picture(frame.buffer) else { return [] }
    var outputs: [Output] = []
    var current = picture
    // The largest layer uses the most bandwidth, so this code regards the largest layer as the
    // cause of the backlog.
    var leftOut = work.leftOut
    for index in layers.indices.reversed() where layers[index].isDue(timestamp) {
      let rate = work.rates.indices.contains(index) ? work.rates[index] : nil
      guard rate != 0 else { continue }
      layers[index].leaveOut(leftOut, at: timestamp, bitsPerSecond: rate)
      leftOut = 0
      let size = layers[index].size(
        in: publication.layers, width: picture.width, height: picture.height)
      // Shrinking the picture of the layer above costs less than shrinking the full picture, and
      // both give the same result.
      guard
        let shrunk = current.shrunk(toWidth: size.width, height: size.height)
          ?? picture.shrunk(toWidth: size.width, height: size.height)
      else { continue }
      current = shrunk
      let isForced = work.keyFrames.contains(index)
      guard
        let encoded = try? layers[index].encode(
          shrunk, timestamp: timestamp, forcingKeyFrame: isForced, bitsPerSecond: rate)
      else { continue }
      if encoded.isKeyFrame { state.withLock { _ = $0.keyFrames.remove(index) } }
      outputs.append(
        Output(layer: index, frame: encoded, timestamp: timestamp, rotation: frame.rotation))
    }
    return outputs
  }

  /// Returns the next recorded frame, as the lowest layer.
  private func take(
    _ recorded: RecordingPlaybackBuffer, _ timestamp: Int64, _ rotation: VideoRotation,
    isForced: Bool
  ) -> [Output] {
    guard let frame = recorded.next(forcingKeyFrame: isForced) else { return [] }
    if frame.isKeyFrame { state.withLock { _ = $0.keyFrames.remove(0) } }
    return [Output(layer: 0, frame: frame, timestamp: timestamp, rotation: rotation)]
  }
}
