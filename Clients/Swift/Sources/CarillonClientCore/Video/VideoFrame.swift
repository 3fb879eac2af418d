public import Foundation

/// One picture of a video.
public final class VideoFrame: NSObject {
  /// The width in pixels, before rotation.
  public let width: Int

  /// The height in pixels, before rotation.
  public let height: Int

  /// When it was taken, in nanoseconds of the monotonic clock.
  public let timestampNs: Int64

  /// How far it is to be turned before it is shown.
  public let rotation: VideoRotation

  /// Its pixels.
  public let buffer: any VideoFrameBuffer

  /// Makes a frame of the size of its buffer.
  ///
  /// - Parameters:
  ///   - timestampNs: When it was taken, in nanoseconds of the monotonic clock.
  ///   - rotation: How far it is to be turned before it is shown.
  ///   - buffer: Its pixels.
  public init(timestampNs: Int64, rotation: VideoRotation, buffer: any VideoFrameBuffer) {
    width = buffer.width()
    height = buffer.height()
    self.timestampNs = timestampNs
    self.rotation = rotation
    self.buffer = buffer
  }
}

/// The pixels of a frame, in whatever form.
public protocol VideoFrameBuffer: AnyObject {
  /// The width in pixels, before rotation.
  func width() -> Int

  /// The height in pixels, before rotation.
  func height() -> Int
}

/// How far a frame is to be turned clockwise before it is shown, in degrees.
public enum VideoRotation: Int, Sendable, CustomStringConvertible {
  /// The frame is upright.
  case rotation0 = 0
  /// A quarter turn.
  case rotation90 = 90
  /// Half a turn.
  case rotation180 = 180
  /// Three quarters of a turn.
  case rotation270 = 270

  /// The name of the case with an underscore, such as `rotation_90`.
  public var description: String { "rotation_\(rawValue)" }
}
