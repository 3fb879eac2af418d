internal import CarillonClientCore
internal import Dispatch
internal import Synchronization
internal import VPX

/// The decoding of the VP8 frames of one remote track, on a queue of the track. The type delivers
/// the pictures on the main thread.
///
/// `@unchecked Sendable` because only the queue uses `decoder`; the rest is constant or guarded by
/// the lock.
final class VideoDecoderQueue: @unchecked Sendable {
  private struct State {
    var isOpen = true
    /// The frames that wait for the queue.
    var waiting = 0
    /// The pictures that wait for the main thread.
    var waitingAtMain = 0
  }

  let track: RemoteVideoTrack
  private var decoder: DecoderBox?
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "carillon.video.decode")
  private let show: @Sendable (VideoFrame) -> Void
  private let showEncoded: @Sendable (_ width: Int, _ height: Int) -> Void
  private let fail: @Sendable () -> Void

  /// The maximum number of waiting frames. If more frames wait, the machine is too slow.
  private static let mostWaiting = 30

  /// The maximum number of pictures that wait for the main thread.
  private static let mostWaitingAtMain = 8

  /// - Parameters:
  ///   - show: Receives a picture, on the main thread.
  ///   - showEncoded: Receives the size of a frame that the queue does not decode, on the main
  ///     thread.
  ///   - fail: Called when the decoder could not decode a frame, and needs a key frame. The closure
  ///     runs on the queue or on the caller's thread.
  init(
    _ track: RemoteVideoTrack, show: @escaping @Sendable (VideoFrame) -> Void,
    showEncoded: @escaping @Sendable (_ width: Int, _ height: Int) -> Void,
    fail: @escaping @Sendable () -> Void
  ) {
    self.track = track
    self.show = show
    self.showEncoded = showEncoded
    self.fail = fail
  }

  /// Queues the next frame, in order.
  ///
  /// - Parameters:
  ///   - timestampNs: The timestamp of the picture, in nanoseconds.
  ///   - rotation: The clockwise rotation to apply before display.
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

  /// Reports a frame that the queue does not decode.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  func skip(width: Int, height: Int) { bringToMain { $0.showEncoded(width, height) } }

  /// Stops the delivery permanently.
  func close() { state.withLock { $0.isOpen = false } }

  private func decodeNow(_ bytes: [UInt8], _ timestampNs: Int64, _ rotation: VideoRotation) {
    do {
      let box = try decoder ?? DecoderBox(VP8Decoder())
      decoder = box
      guard let buffer = try box.decoder.decode(bytes.span)?.buffer else { return }
      let frame = MainQueueBox(
        value: VideoFrame(timestampNs: timestampNs, rotation: rotation, buffer: buffer))
      bringToMain { $0.show(frame.value) }
    } catch {
      fail()
    }
  }

  private func bringToMain(_ act: @escaping @Sendable (VideoDecoderQueue) -> Void) {
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
      if isOpen { act(self) }
    }
  }
}

/// A reference to a decoder.
private final class DecoderBox {
  var decoder: VP8Decoder

  init(_ decoder: consuming VP8Decoder) { self.decoder = decoder }
}
