/// The id of a knock. A knock is the request of a person to be admitted to a locked meeting.
public struct KnockID: GUIDIdentifier {
  public static let noun = "knock id"

  public let guid: GUID

  public init(_ guid: GUID) { self.guid = guid }
}
