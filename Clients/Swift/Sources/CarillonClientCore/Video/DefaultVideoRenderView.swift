public import Foundation

/// A view without a screen. The view keeps the latest frame, and counts frames. Only the main
/// thread uses the view.
public final class DefaultVideoRenderView: NSObject, VideoRenderView {
  /// Whether the code that draws the picture must mirror the picture. The view does not change the
  /// frame itself.
  public var mirror = false

  /// The latest frame; `nil` before the first frame and after `resetImage()`.
  public private(set) var latestFrame: VideoFrame?

  /// The number of received frames.
  public private(set) var frameCount = 0

  public func onVideoFrameReceived(frame: VideoFrame) {
    latestFrame = frame
    frameCount += 1
  }

  /// Removes the picture.
  public func resetImage() {
    latestFrame = nil
  }
}
