public import MeetingModel

/// Something that happened to a client's session, as the client tells it.
public struct ClientEvent: Hashable, Sendable {
  /// The meeting that the client joined: for one of an audience the replica.
  public var meeting: MeetingID

  /// The primary of a replica.
  public var primary: MeetingID?

  public var attendee: AttendeeID

  /// `nil` if the meeting had ended when the event came.
  public var externalUserID: ExternalUserID?

  /// The client's own: an event that comes again has the same one.
  public var id: String

  /// Such as `meetingStartSucceeded`.
  public var name: String

  /// When it came, in milliseconds since 1970-01-01T00:00:00Z.
  public var receivedAtMs: Int64

  /// What the client says of its device and library: a JSON object in one line.
  public var metadata: String

  /// The event with all its attributes: a JSON object in one line.
  public var payload: String

  public init(
    meeting: MeetingID, primary: MeetingID? = nil, attendee: AttendeeID,
    externalUserID: ExternalUserID? = nil, id: String, name: String, receivedAtMs: Int64,
    metadata: String, payload: String
  ) {
    self.meeting = meeting
    self.primary = primary
    self.attendee = attendee
    self.externalUserID = externalUserID
    self.id = id
    self.name = name
    self.receivedAtMs = receivedAtMs
    self.metadata = metadata
    self.payload = payload
  }
}

/// An event with its place in the order in which they came.
public struct NumberedEvent: Hashable, Sendable {
  /// Rises with each event of the installation, with gaps.
  public let number: Int64
  public let event: ClientEvent
}
