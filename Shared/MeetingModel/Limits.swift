/// The limits in force in an installation; the defaults are those the guides promise.
public struct Limits: Hashable, Sendable {
  /// Attendees that may exist in one meeting; the meeting's own maximum applies if it is smaller.
  public var maxAttendees = 250

  /// Cameras published in one meeting at a time; content shares do not count.
  public var maxCameras = 25

  /// Videos that a receiver gets without subscribing; the rest are announced, not sent.
  public var maxReceivedVideos = 25

  /// Content shares in one meeting at a time.
  public var maxContentShares = 2

  /// Bytes in one data message.
  public var maxDataMessageBytes = 2048

  /// Data messages kept per meeting; the oldest go first.
  public var maxKeptMessages = 1024

  /// The longest that a data message is kept.
  public var maxMessageLifetime: Duration = .milliseconds(300_000)

  /// Data messages of a meeting; beyond it a message comes back marked as throttled.
  public var dataMessageRate = RateLimit(perSecond: 100, burst: 200)

  /// Data messages of one attendee; beyond it the session ends.
  public var attendeeFloodRate = RateLimit(perSecond: 200, burst: 2_000)

  /// Data messages of a meeting; beyond it the session of whoever sent the last one ends.
  public var meetingFloodRate = RateLimit(perSecond: 500, burst: 10_000)

  /// How long a meeting without anybody connected goes on. Replicas are exempt.
  public var idleMeeting: Duration = .seconds(300)

  /// How long any meeting goes on.
  public var maxMeeting: Duration = .seconds(86_400)

  /// Live replicas of one primary.
  public var maxReplicas = 4

  /// The defaults.
  public init() {}
}
