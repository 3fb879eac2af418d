/// Names one meeting, for as long as the installation lives.
public struct MeetingID: GUIDIdentifier {
  public static let noun = "meeting id"

  public let guid: GUID

  public init(_ guid: GUID) { self.guid = guid }
}
