import Foundation

/// The video that a session sends: the source of the video, and the receivers of the frames.
///
/// The type owns the internal camera. After the session has begun to use the camera, the camera is
/// in use until the session sends the video of another source, or until the session stops sending
/// video.
///
/// `@unchecked Sendable` because the lock guards all mutable state. The type calls sources outside
/// the lock, because sources may deliver frames within the call.
final class LocalVideo: @unchecked Sendable {
  private struct Use {
    let number: UInt64
    let source: any VideoSource
    let sink: LocalVideoSink
    let isCamera: Bool
  }

  /// The session's internal camera, even before its first use; `nil` if the session has no internal
  /// camera.
  let internalCamera: (any VideoCaptureSource)?

  private let frames: (any VideoFrameReceiver)?
  private let media: (any MediaEngine)?
  private let lock = NSLock()
  private var current: Use?
  private var isCameraInUse = true
  private var lastNumber: UInt64 = 0

  /// - Parameters:
  ///   - frames: The receiver of the local tile's frames; `nil` for a content share.
  ///   - media: The engine that sends the frames.
  ///   - internalCamera: The internal camera. The type stops the camera when another source
  ///     replaces the camera.
  init(
    frames: (any VideoFrameReceiver)?, media: (any MediaEngine)? = nil,
    internalCamera: (any VideoCaptureSource)? = nil
  ) {
    self.internalCamera = internalCamera
    self.frames = frames
    self.media = media
  }

  /// Uses the frames of the given source instead of the frames of the previous source.
  ///
  /// - Returns: The number that identifies this use of a source.
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

  /// Ends the current use of a source.
  ///
  /// - Parameter number: If this argument is not `nil`, the method ends the use only if the use has
  ///   this number.
  /// - Returns: Whether a use ended.
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

  /// Ends the current use of a source. After this call, the internal camera is no longer in use.
  func release() {
    lock.withLock { isCameraInUse = false }
    end()
  }

  /// The internal camera while it is in use; otherwise `nil`.
  var camera: (any VideoCaptureSource)? { lock.withLock { isCameraInUse ? internalCamera : nil } }

  /// Returns whether the use with this number is the current use.
  func isCurrent(_ number: UInt64) -> Bool {
    lock.withLock { current?.number == number }
  }

  private func end(_ use: Use, keepsCapturing: Bool) {
    use.sink.close()
    use.source.removeVideoSink(sink: use.sink)
    if use.isCamera, !keepsCapturing { internalCamera?.stop() }
  }
}
