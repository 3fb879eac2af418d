public import Foundation

/// A video that an attendee offers. The same object for as long as it is available, so that it can
/// be a key of a dictionary.
public final class RemoteVideoSource: NSObject {
  /// Whose video it is; ends in `#content` for a content share.
  public var attendeeId = ""

  public override init() {}
}

/// How a remote video is to be received. Read when it is passed on; later changes have no effect.
public final class VideoSubscriptionConfiguration: NSObject {
  /// Which videos suffer last.
  public var priority: VideoPriority = .high

  /// The size wished for.
  public var targetResolution: VideoResolution = .high

  public override init() {}
}

/// Which remote videos keep their quality longest when bandwidth is short.
public enum VideoPriority: Int, Sendable {
  /// The first to lose quality.
  case lowest = 0
  /// Loses quality after `lowest`.
  case low = 10
  /// Loses quality after `low` and before `high`.
  case medium = 20
  /// Loses quality after `medium`.
  case high = 30
  /// The last to lose quality.
  case highest = 40
}
