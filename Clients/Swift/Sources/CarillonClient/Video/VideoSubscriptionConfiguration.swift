public import Foundation

/// How a remote video is to be received. Read when it is passed on; later changes have no effect.
public final class VideoSubscriptionConfiguration: NSObject {
  /// Which videos suffer last.
  public var priority: VideoPriority = .high

  /// The size wished for.
  public var targetResolution: VideoResolution = .high

  public override init() {}
}
