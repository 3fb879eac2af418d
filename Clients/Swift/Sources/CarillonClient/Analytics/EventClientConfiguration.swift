/// In whose name events are sent.
public protocol EventClientConfiguration: AnyObject {
  /// Superseded by `tag`.
  var type: EventClientType { get }

  /// Proves the right to send.
  var eventClientJoinToken: String { get }

  /// What kind of client it is.
  var tag: String { get }

  /// Sent with every event.
  var metadataAttributes: [String: Any] { get }
}
