public import MeetingModel

/// An event of a client's session, in the form in which the client reports the event.
public struct ReportedClientEvent: Hashable, Sendable {
  /// The meeting that the client joined; for an attendee of an audience, the replica.
  public var meeting: MeetingID

  /// The primary, if the meeting is a replica; otherwise `nil`.
  public var primary: MeetingID?

  public var attendee: AttendeeID

  /// The external user id; `nil` if the meeting had ended when the event arrived.
  public var externalUserID: ExternalUserID?

  /// The client's own id of the event. A retry has the same id.
  public var id: String

  /// The name, such as `meetingStartSucceeded`.
  public var name: String

  /// The time of arrival, in milliseconds since 1970-01-01T00:00:00Z.
  public var receivedAtMs: Int64

  /// The client's description of its device and library: a JSON object in one line.
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

/// An event with its number in the order of arrival.
public struct StoredClientEvent: Hashable, Sendable {
  /// A number that increases with each event of the installation. Some numbers are missing.
  public let number: Int64
  public let event: ReportedClientEvent
}
