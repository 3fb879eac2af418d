public import Wire

/// An event of a meeting as a gateway has it.
public struct SeenEvent: Sendable {
  /// Who may see the event, and where it stands in its stream.
  public let header: V1.EventHeader

  /// What happened.
  public let body: V1.SessionEvents

  /// Reads a packed event; `nil` for what is none.
  public init?(_ header: V1.EventHeader?, _ bytes: [UInt8]) {
    guard let header, let body = try? V1.SessionEvents(packed: bytes) else { return nil }
    (self.header, self.body) = (header, body)
  }
}
