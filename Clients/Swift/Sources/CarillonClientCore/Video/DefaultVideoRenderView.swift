public import Foundation

/// A view without a screen: keeps the latest frame and counts. Used on main.
public final class DefaultVideoRenderView: NSObject, VideoRenderView {
  /// Whether the picture is to be shown mirrored. For whoever draws it; the frame is not changed.
  public var mirror = false

  /// The frame that arrived last; nil before the first and after `resetImage()`.
  public private(set) var latestFrame: VideoFrame?

  /// How many frames have arrived.
  public private(set) var frameCount = 0

  public func onVideoFrameReceived(frame: VideoFrame) {
    latestFrame = frame
    frameCount += 1
  }

  /// Takes the picture away.
  public func resetImage() {
    latestFrame = nil
  }
}
