public import Wire

/// An event of a meeting as a gateway receives it.
public struct SeenEvent: Sendable {
  /// The participants who may see the event, and the position of the event in the stream.
  public let header: V1.EventHeader

  /// The content of the event.
  public let body: V1.SessionEvents

  /// Unpacks an event; `nil` if the event is malformed or has no header.
  public init?(_ header: V1.EventHeader?, _ bytes: [UInt8]) {
    guard let header, let body = try? V1.SessionEvents(packed: bytes) else { return nil }
    (self.header, self.body) = (header, body)
  }
}
