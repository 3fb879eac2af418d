/// The code with which a browser's WebSocket is closed.
///
/// A browser reconnects only after 4500-4599. Before its first INDEX it gives up after any other
/// code; later it does not react to other codes.
enum CloseCode: UInt16, Hashable, Sendable {
  /// The session ended normally.
  case normal = 1000

  /// The input violates the WebSocket protocol (RFC 6455, §7.4.1).
  case protocolError = 1002

  /// A text message arrived; only binary ones are valid.
  case unsupportedData = 1003

  /// A message is larger than any valid one.
  case messageTooBig = 1009

  /// A message is no frame, or its frame is invalid at this point.
  case badFrame = 4400

  /// The credentials were rejected.
  case refused = 4403

  /// The meeting has ended.
  case meetingEnded = 4410

  /// A defect in the gateway.
  case internalError = 4500

  /// The gateway is overloaded or about to stop, or a service is unreachable.
  case unavailable = 4503

  /// The client reads too slowly.
  case tooSlow = 4508

  /// The client was silent for too long.
  case silent = 4509
}
