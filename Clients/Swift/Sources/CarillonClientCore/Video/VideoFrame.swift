public import Foundation

/// One picture of a video.
public final class VideoFrame: NSObject {
  /// The width in pixels, before rotation.
  public let width: Int

  /// The height in pixels, before rotation.
  public let height: Int

  /// The time of the capture, in nanoseconds of the monotonic clock.
  public let timestampNs: Int64

  /// The clockwise rotation to apply before display.
  public let rotation: VideoRotation

  /// The pixels of the frame.
  public let buffer: any VideoFrameBuffer

  /// Creates a frame with the size of its buffer.
  ///
  /// - Parameters:
  ///   - timestampNs: The time of the capture, in nanoseconds of the monotonic clock.
  ///   - rotation: The clockwise rotation to apply before display.
  ///   - buffer: The pixels of the frame.
  public init(timestampNs: Int64, rotation: VideoRotation, buffer: any VideoFrameBuffer) {
    width = buffer.width()
    height = buffer.height()
    self.timestampNs = timestampNs
    self.rotation = rotation
    self.buffer = buffer
  }

  /// Returns the frame with its rotation applied, so that a view can show the frame without
  /// rotating it. Carillon adds this method to the interface of the meetings SDK for iOS.
  ///
  /// - Returns: A new frame with ``VideoRotation/rotation0``. If this frame is already upright, or
  ///   if its buffer is not a ``VideoFrameI420Buffer``, the result is this frame.
  public func upright() -> VideoFrame {
    guard rotation != .rotation0, let picture = buffer as? VideoFrameI420Buffer else { return self }
    return VideoFrame(
      timestampNs: timestampNs, rotation: .rotation0, buffer: picture.rotated(by: rotation))
  }
}

/// The pixels of a frame, in any format.
public protocol VideoFrameBuffer: AnyObject {
  /// Returns the width in pixels, before rotation.
  func width() -> Int

  /// Returns the height in pixels, before rotation.
  func height() -> Int
}

/// The clockwise rotation of a frame to apply before display, in degrees.
public enum VideoRotation: Int, Sendable, CustomStringConvertible {
  /// The frame is upright.
  case rotation0 = 0
  /// The rotation is a quarter turn.
  case rotation90 = 90
  /// The rotation is half a turn.
  case rotation180 = 180
  /// The rotation is three quarters of a turn.
  case rotation270 = 270

  /// The name of the case with an underscore, such as `rotation_90`.
  public var description: String { "rotation_\(rawValue)" }
}
