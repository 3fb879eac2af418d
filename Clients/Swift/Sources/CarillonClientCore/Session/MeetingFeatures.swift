public import Foundation

/// The largest video resolutions that a meeting allows.
public final class MeetingFeatures: NSObject, Sendable {
  /// The largest resolution of a camera. `VideoResolution.videoDisabled` forbids cameras.
  public let videoMaxResolution: VideoResolution

  /// The largest resolution of a content share. `VideoResolution.videoDisabled` forbids content
  /// shares.
  public let contentMaxResolution: VideoResolution

  /// Creates the default features: HD for cameras, full HD for content.
  public convenience override init() {
    self.init(
      videoMaxResolution: .videoResolutionHD, contentMaxResolution: .videoResolutionFHD)
  }

  /// Creates features from the control API's names `none`, `hd` and `fhd`, in upper or lower case.
  ///
  /// - Parameters:
  ///   - video: The name for cameras. `nil` means `hd`, and any other text means ultra HD.
  ///   - content: The name for content. `nil` means `fhd`, and any other text means ultra HD.
  public convenience init(video: String?, content: String?) {
    self.init(
      videoMaxResolution: Self.resolution(named: video ?? "hd"),
      contentMaxResolution: Self.resolution(named: content ?? "fhd"))
  }

  /// Creates features from the largest resolutions of cameras and of content shares.
  public init(videoMaxResolution: VideoResolution, contentMaxResolution: VideoResolution) {
    self.videoMaxResolution = videoMaxResolution
    self.contentMaxResolution = contentMaxResolution
  }

  private static func resolution(named text: String) -> VideoResolution {
    switch text.lowercased() {
    case "none": .videoDisabled
    case "hd": .videoResolutionHD
    case "fhd": .videoResolutionFHD
    default: .videoResolutionUHD
    }
  }
}
