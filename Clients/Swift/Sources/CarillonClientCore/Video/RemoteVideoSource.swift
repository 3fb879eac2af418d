public import Foundation

/// A remote video source.
///
/// While the source is available, the same object always represents the source. So the object can
/// be a key of a dictionary.
public final class RemoteVideoSource: NSObject {
  /// The id of the attendee who sends the video. The id of a content share ends in `#content`.
  public var attendeeId = ""

  public override init() {}
}

/// The configuration with which a remote video is received.
///
/// The session reads the configuration during the call. Later changes have no effect.
public final class VideoSubscriptionConfiguration: NSObject {
  /// The priority of the video when bandwidth is short.
  public var priority: VideoPriority = .high

  /// The requested size.
  public var targetResolution: VideoResolution = .high

  public override init() {}
}

/// The priority of a remote video. When bandwidth is short, a video with a higher priority loses
/// quality later than a video with a lower priority.
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
