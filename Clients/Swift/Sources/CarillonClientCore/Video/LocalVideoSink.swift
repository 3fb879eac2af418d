import Foundation
import Synchronization

/// A sink that forwards the frames of the local video from the source's queue to the media engine
/// and to the main thread.
///
/// A new frame replaces a frame that still waits for the main thread. The sink is an `NSObject`,
/// because applications keep sinks in Foundation's sets.
final class LocalVideoSink: NSObject, VideoSink, Sendable {
  private struct State {
    var isOpen = true
    var waiting: MainQueueBox<VideoFrame>?
  }

  private let frames: (any VideoFrameReceiver)?
  private let media: (any MediaEngine)?
  private let number: UInt64
  private let state = Mutex(State())

  /// - Parameter number: The number of the publication that the frames belong to.
  init(frames: (any VideoFrameReceiver)?, media: (any MediaEngine)? = nil, number: UInt64 = 0) {
    self.frames = frames
    self.media = media
    self.number = number
  }

  func onVideoFrameReceived(frame: VideoFrame) {
    guard state.withLock(\.isOpen) else { return }
    media?.send(frame, number: number)
    guard let frames else { return }
    let frame = MainQueueBox(value: frame)
    let isFirst = state.withLock { state in
      guard state.isOpen else { return false }
      defer { state.waiting = frame }
      return state.waiting == nil
    }
    guard isFirst else { return }
    DispatchQueue.main.async { [self] in
      guard let frame = take() else { return }
      frames.receiveLocal(frame.value)
    }
  }

  /// Closes the sink. The closed sink forwards no further frames.
  func close() {
    state.withLock { $0 = State(isOpen: false) }
  }

  private func take() -> MainQueueBox<VideoFrame>? {
    state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
  }
}
