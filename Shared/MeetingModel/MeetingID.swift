/// The id of a meeting, unique for the life of the installation.
public struct MeetingID: GUIDIdentifier {
  public static let noun = "meeting id"

  public let guid: GUID

  public init(_ guid: GUID) { self.guid = guid }
}
