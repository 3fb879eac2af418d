public import Foundation

/// The largest pictures a meeting allows.
public final class MeetingFeatures: NSObject, Sendable {
  /// For cameras; `VideoResolution.videoDisabled` forbids them.
  public let videoMaxResolution: VideoResolution

  /// For content shares; `VideoResolution.videoDisabled` forbids them.
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
