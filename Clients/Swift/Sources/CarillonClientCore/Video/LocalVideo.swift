import Foundation

/// The video that a session sends: which source it comes from, and where its frames go. It owns the
/// internal camera, which counts as being in use until another source is sent or sending ends.
///
/// `@unchecked Sendable` because everything that changes is read and set under the lock; sources
/// are called outside of it, as they may deliver from within the call.
final class LocalVideo: @unchecked Sendable {
  private struct Use {
    let number: UInt64
    let source: any VideoSource
    let sink: LocalVideoSink
    let isCamera: Bool
  }

  /// The session's own camera, which is there before it is used; `nil` without one.
  let internalCamera: (any VideoCaptureSource)?

  private let frames: (any MediaTracks)?
  private let media: (any MediaEngine)?
  private let lock = NSLock()
  private var current: Use?
  private var isCameraInUse = true
  private var lastNumber: UInt64 = 0

  /// - Parameters:
  ///   - frames: Shows the local tile; nobody does of a content share.
  ///   - media: Sends the frames.
  ///   - internalCamera: Is stopped when it is replaced.
  init(
    frames: (any MediaTracks)?, media: (any MediaEngine)? = nil,
    internalCamera: (any VideoCaptureSource)? = nil
  ) {
    self.internalCamera = internalCamera
    self.frames = frames
    self.media = media
  }

  /// Takes the frames of this source from now on, and of the one before no more.
  ///
  /// - Returns: Tells the uses apart.
  func use(_ source: any VideoSource) -> UInt64 {
    let isCamera = source === internalCamera
    let (number, sink, former) = lock.withLock { () -> (UInt64, LocalVideoSink, Use?) in
      lastNumber += 1
      let former = current
      let sink = LocalVideoSink(frames: frames, media: media, number: lastNumber)
      current = Use(number: lastNumber, source: source, sink: sink, isCamera: isCamera)
      isCameraInUse = isCamera
      return (lastNumber, sink, former)
    }
    if let former { end(former, keepsCapturing: former.source === source) }
    source.addVideoSink(sink: sink)
    return number
  }

  /// Takes no frames any more.
  ///
  /// - Parameter number: Only if it is this use that lasts.
  /// - Returns: Whether it was so.
  @discardableResult
  func end(_ number: UInt64? = nil) -> Bool {
    let former = lock.withLock { () -> Use? in
      guard number == nil || current?.number == number else { return nil }
      defer { current = nil }
      if current?.isCamera == true { isCameraInUse = false }
      return current
    }
    if let former { end(former, keepsCapturing: false) }
    return former != nil
  }

  /// Takes no frames any more, and the internal camera is not in use, either.
  func release() {
    lock.withLock { isCameraInUse = false }
    end()
  }

  /// The internal camera, while it is in use.
  var camera: (any VideoCaptureSource)? { lock.withLock { isCameraInUse ? internalCamera : nil } }

  /// Whether it is this use that lasts.
  func isCurrent(_ number: UInt64) -> Bool {
    lock.withLock { current?.number == number }
  }

  private func end(_ use: Use, keepsCapturing: Bool) {
    use.sink.close()
    use.source.removeVideoSink(sink: use.sink)
    if use.isCamera, !keepsCapturing { internalCamera?.stop() }
  }
}
