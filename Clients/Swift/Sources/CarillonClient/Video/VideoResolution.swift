public import Foundation

/// A width and a height in pixels. Compared by identity: the constants are the only ones.
public final class VideoResolution: NSObject, Sendable {
  public static let high = VideoResolution(width: 960, height: 720)
  public static let medium = VideoResolution(width: 640, height: 480)
  public static let low = VideoResolution(width: 320, height: 240)
  /// No video at all.
  public static let videoDisabled = VideoResolution(width: 0, height: 0)
  public static let videoResolutionHD = VideoResolution(width: 1280, height: 720)
  public static let videoResolutionFHD = VideoResolution(width: 1920, height: 1080)
  public static let videoResolutionUHD = VideoResolution(width: 3840, height: 2160)

  /// In pixels.
  public let width: Int

  /// In pixels.
  public let height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public override var description: String { "{ width: \(width), height: \(height) }" }
}
