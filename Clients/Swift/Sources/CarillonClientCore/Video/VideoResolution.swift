public import Foundation

/// A width and a height in pixels. Only the constants of this type exist. Code compares the
/// constants by identity.
public final class VideoResolution: NSObject, Sendable {
  /// 960 × 720 pixels.
  public static let high = VideoResolution(width: 960, height: 720)

  /// 640 × 480 pixels.
  public static let medium = VideoResolution(width: 640, height: 480)

  /// 320 × 240 pixels.
  public static let low = VideoResolution(width: 320, height: 240)
  /// No video at all.
  public static let videoDisabled = VideoResolution(width: 0, height: 0)

  /// 1280 × 720 pixels.
  public static let videoResolutionHD = VideoResolution(width: 1280, height: 720)

  /// 1920 × 1080 pixels.
  public static let videoResolutionFHD = VideoResolution(width: 1920, height: 1080)

  /// 3840 × 2160 pixels.
  public static let videoResolutionUHD = VideoResolution(width: 3840, height: 2160)

  /// The width in pixels.
  public let width: Int

  /// The height in pixels.
  public let height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public override var description: String { "{ width: \(width), height: \(height) }" }
}
