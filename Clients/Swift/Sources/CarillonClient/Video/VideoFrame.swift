public import Foundation

/// One picture of a video.
public final class VideoFrame: NSObject {
  /// In pixels, before rotation.
  public let width: Int

  /// In pixels, before rotation.
  public let height: Int

  /// When it was taken, in nanoseconds of the monotonic clock.
  public let timestampNs: Int64

  /// How far it is to be turned before it is shown.
  public let rotation: VideoRotation

  /// Its pixels.
  public let buffer: any VideoFrameBuffer

  public init(timestampNs: Int64, rotation: VideoRotation, buffer: any VideoFrameBuffer) {
    width = buffer.width()
    height = buffer.height()
    self.timestampNs = timestampNs
    self.rotation = rotation
    self.buffer = buffer
  }
}
