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

/// The configuration with which the session receives a remote video.
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
  /// The server lowers the quality of videos with this priority first.
  case lowest = 0
  /// The server lowers the quality of these videos after the videos with `lowest`.
  case low = 10
  /// The server lowers the quality of these videos after the videos with `low`, and before the
  /// videos with `high`.
  case medium = 20
  /// The server lowers the quality of these videos after the videos with `medium`.
  case high = 30
  /// The server lowers the quality of videos with this priority last.
  case highest = 40
}
