internal import CarillonClientCore
internal import Dispatch
internal import Synchronization
internal import VPX

/// Encodes the local video on a queue of its own. A frame that the queue has not come to gives way
/// to the next one.
///
/// `@unchecked Sendable` because `layers` belongs to the queue; the rest is constant or under the
/// lock.
final class VideoEncoding: @unchecked Sendable {
  /// A frame of one layer, ready to be sent.
  struct Output: Sendable {
    let layer: Int
    let frame: VP8Frame
    /// Ticks of 1/90,000 s.
    let timestamp: Int64
    /// How far the picture is to be turned before it is shown.
    let rotation: VideoRotation
  }

  private struct State {
    var isOpen = true
    /// Whether anybody can get what is encoded.
    var isActive = false
    var waiting: MainBound<VideoFrame>?
    var isBusy = false
    /// Layers that are to begin anew.
    var keyFrames: Set<Int>
    /// What each layer may take, in bits per second; 0: it is off. Empty: what was declared.
    var rates: [Int] = []
    /// So much waits to be sent that frames are left out.
    var isCongested = false
    /// Frames that were left out for it since the last one that was taken.
    var leftOut = 0
  }

  /// A frame to encode, and how.
  private struct Work: Sendable {
    let frame: MainBound<VideoFrame>
    let keyFrames: Set<Int>
    let rates: [Int]
    let leftOut: Int
  }

  let publication: MediaPublication
  private let layers: [LayerEncoder]
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "carillon.video.encode")
  private let deliver: @Sendable ([Output]) -> Void

  /// - Parameter deliver: Takes the layers of one frame, on the queue.
  init(_ publication: MediaPublication, deliver: @escaping @Sendable ([Output]) -> Void) {
    self.publication = publication
    self.deliver = deliver
    let isScreen = publication.hint == .text || publication.hint == .detail
    layers = publication.layers.map { LayerEncoder($0, isScreen: isScreen) }
    state = Mutex(State(keyFrames: []))
  }

  /// Takes the next frame, from any thread.
  func encode(_ frame: VideoFrame) {
    let frame = MainBound(value: frame)
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

  /// The next frame of a layer shall be a key frame.
  func requestKeyFrame(ofLayer layer: Int) {
    state.withLock { _ = $0.keyFrames.insert(layer) }
  }

  /// Frames are encoded, from key frames on, or not for the time being.
  func setActive(_ isActive: Bool) {
    state.withLock { state in
      guard isActive != state.isActive else { return }
      state.isActive = isActive
      if isActive { state.keyFrames = Set(layers.indices) }
    }
  }

  /// The bitrates of the layers from now on, in bits per second; 0: a layer is off. One that is on
  /// again begins with a key frame.
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

  /// Frames are left out, before they are encoded, or not any more.
  func setCongested(_ isCongested: Bool) { state.withLock { $0.isCongested = isCongested } }

  /// Nothing more is delivered.
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
    // The rest of a tick that is not whole is dropped: what counts is that ticks rise.
    let timestamp =
      frame.timestampNs / 1_000_000 * 90 + frame.timestampNs % 1_000_000 * 90 / 1_000_000
    if let recorded = frame.buffer as? RecordedBuffer {
      let isForced = work.keyFrames.contains(0)
      return take(recorded, timestamp, frame.rotation, isForced: isForced)
    }
    guard let picture = I420Picture(frame.buffer) else { return [] }
    var outputs: [Output] = []
    var current = picture
    // The largest layer takes most, so that it is what too much waits for.
    var leftOut = work.leftOut
    for index in layers.indices.reversed() where layers[index].isDue(timestamp) {
      let rate = work.rates.indices.contains(index) ? work.rates[index] : nil
      guard rate != 0 else { continue }
      layers[index].leaveOut(leftOut, at: timestamp, bitsPerSecond: rate)
      leftOut = 0
      let size = layers[index].size(
        in: publication.layers, width: picture.width, height: picture.height)
      // It is shrunk from the layer above, which is smaller than the picture and as good for it.
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

  /// What is encoded already is the lowest layer.
  private func take(
    _ recorded: RecordedBuffer, _ timestamp: Int64, _ rotation: VideoRotation, isForced: Bool
  ) -> [Output] {
    guard let frame = recorded.next(forcingKeyFrame: isForced) else { return [] }
    if frame.isKeyFrame { state.withLock { _ = $0.keyFrames.remove(0) } }
    return [Output(layer: 0, frame: frame, timestamp: timestamp, rotation: rotation)]
  }
}
