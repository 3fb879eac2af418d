/// The limits of an installation. `docs/limits.md` describes most of these limits and their
/// defaults.
public struct InstallationLimits: Hashable, Sendable {
  /// The maximum number of attendees of a meeting. If a meeting has a smaller maximum of its own,
  /// that maximum applies.
  public var maxAttendees = 250

  /// The maximum number of cameras in a meeting at a time; content shares do not count.
  public var maxCameras = 25

  /// The maximum number of videos that a receiver gets without a subscription. The server announces
  /// further videos but does not send them.
  public var maxReceivedVideos = 25

  /// The maximum number of content shares in a meeting at a time.
  public var maxContentShares = 2

  /// The maximum number of bytes of a data message.
  public var maxDataMessageBytes = 2048

  /// The maximum number of data messages that the server keeps for each meeting. The server evicts
  /// the oldest messages first.
  public var maxKeptMessages = 1024

  /// The longest lifetime of a data message.
  public var maxMessageLifetime: Duration = .milliseconds(300_000)

  /// The highest rate of data messages in a meeting. Above this rate, the server throttles
  /// messages.
  public var dataMessageRate = RateLimit(perSecond: 100, burst: 200)

  /// The highest rate of data messages from one attendee. Above this rate, the attendee's session
  /// ends.
  public var attendeeFloodRate = RateLimit(perSecond: 200, burst: 2_000)

  /// The flood limit for the data messages in a meeting. If a message exceeds this rate, the
  /// session that sent the message ends.
  public var meetingFloodRate = RateLimit(perSecond: 500, burst: 10_000)

  /// How long a meeting may be without connected attendees before the meeting ends.
  ///
  /// This limit does not apply to replicas.
  public var idleMeeting: Duration = .seconds(300)

  /// The longest life of any meeting.
  public var maxMeeting: Duration = .seconds(86_400)

  /// The maximum number of live replicas of a primary.
  public var maxReplicas = 4

  /// Creates the default limits.
  public init() {}
}
