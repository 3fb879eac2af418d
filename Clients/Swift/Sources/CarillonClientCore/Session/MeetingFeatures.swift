public import Foundation

/// The largest pictures a meeting allows.
public final class MeetingFeatures: NSObject, Sendable {
  /// The largest picture of a camera; `VideoResolution.videoDisabled` forbids cameras.
  public let videoMaxResolution: VideoResolution

  /// The largest picture of a content share; `VideoResolution.videoDisabled` forbids shares.
  public let contentMaxResolution: VideoResolution

  /// HD for cameras, full HD for content.
  public convenience override init() {
    self.init(
      videoMaxResolution: .videoResolutionHD, contentMaxResolution: .videoResolutionFHD)
  }

  /// Takes the texts of the control API in any case of letters: `none`, `hd`, `fhd`.
  ///
  /// - Parameters:
  ///   - video: nil means `hd`. A text that is none of the three means ultra HD.
  ///   - content: nil means `fhd`. A text that is none of the three means ultra HD.
  public convenience init(video: String?, content: String?) {
    self.init(
      videoMaxResolution: Self.resolution(named: video ?? "hd"),
      contentMaxResolution: Self.resolution(named: content ?? "fhd"))
  }

  /// Makes features from the largest picture of cameras and that of content shares.
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
