/// The id of an attendee in one meeting.
public struct AttendeeID: GUIDIdentifier {
  public static let noun = "attendee id"

  public let guid: GUID

  public init(_ guid: GUID) { self.guid = guid }
}
