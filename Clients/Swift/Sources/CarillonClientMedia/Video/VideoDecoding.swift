internal import CarillonClientCore
internal import Dispatch
internal import Synchronization
internal import VPX

/// Decodes the frames of one remote track on a queue of its own, and brings the pictures to main.
///
/// `@unchecked Sendable` because `decoder` belongs to the queue; the rest is constant or under the
/// lock.
final class VideoDecoding: @unchecked Sendable {
  private struct State {
    var isOpen = true
    /// Frames that the queue has not come to.
    var waiting = 0
    /// Pictures that main has not come to.
    var waitingAtMain = 0
  }

  let track: MediaTrack
  private var decoder: DecoderBox?
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carillon.video.decode")
  private let show: @Sendable (VideoFrame) -> Void
  private let fail: @Sendable () -> Void

  /// Frames that may wait; more are a machine that cannot keep up.
  private static let mostWaiting = 30

  /// Pictures that may wait for main.
  private static let mostWaitingAtMain = 8

  /// - Parameters:
  ///   - show: Takes a picture, on main.
  ///   - fail: A frame could not be decoded: a key frame must come. On the queue, or the caller's
  ///     thread.
  init(
    _ track: MediaTrack, show: @escaping @Sendable (VideoFrame) -> Void,
    fail: @escaping @Sendable () -> Void
  ) {
    self.track = track
    self.show = show
    self.fail = fail
  }

  /// Takes the next frame, in order.
  ///
  /// - Parameters:
  ///   - timestampNs: Of its picture.
  ///   - rotation: How far its picture is to be turned before it is shown.
  func decode(_ bytes: [UInt8], timestampNs: Int64, rotation: VideoRotation) {
    let fits = state.withLock { state in
      guard state.isOpen, state.waiting < Self.mostWaiting else { return false }
      state.waiting += 1
      return true
    }
    guard fits else { return fail() }
    queue.async { [self] in
      let isOpen = state.withLock { state in
        state.waiting -= 1
        return state.isOpen
      }
      if isOpen { decodeNow(bytes, timestampNs, rotation) }
    }
  }

  /// Nothing more is shown.
  func close() { state.withLock { $0.isOpen = false } }

  private func decodeNow(_ bytes: [UInt8], _ timestampNs: Int64, _ rotation: VideoRotation) {
    do {
      let box = try decoder ?? DecoderBox(VP8Decoder())
      decoder = box
      guard let buffer = try box.decoder.decode(bytes.span)?.buffer else { return }
      bringToMain(VideoFrame(timestampNs: timestampNs, rotation: rotation, buffer: buffer))
    } catch {
      fail()
    }
  }

  private func bringToMain(_ frame: VideoFrame) {
    let frame = MainBound(value: frame)
    let fits = state.withLock { state in
      guard state.waitingAtMain < Self.mostWaitingAtMain else { return false }
      state.waitingAtMain += 1
      return true
    }
    guard fits else { return }
    DispatchQueue.main.async { [self] in
      let isOpen = state.withLock { state in
        state.waitingAtMain -= 1
        return state.isOpen
      }
      if isOpen { show(frame.value) }
    }
  }
}

/// Keeps a decoder where a reference is wanted.
private final class DecoderBox {
  var decoder: VP8Decoder

  init(_ decoder: consuming VP8Decoder) { self.decoder = decoder }
}
