/// The code with which the gateway closes a browser's WebSocket.
///
/// A browser reconnects only after a code from 4500 to 4599. Before the browser has received its
/// first INDEX, it gives up after any other code. After its first INDEX, the browser ignores other
/// codes.
enum CloseCode: UInt16, Hashable, Sendable {
  /// The session ended normally.
  case normal = 1000

  /// The client violates the WebSocket protocol (RFC 6455, §7.4.1).
  case protocolError = 1002

  /// A text message arrived; only binary messages are valid.
  case unsupportedData = 1003

  /// A message is larger than ``SignalCodec/mostBytes``.
  case messageTooBig = 1009

  /// A message is not a frame, or the frame is invalid in the client's present phase.
  case badFrame = 4400

  /// The gateway rejected the credentials.
  case refused = 4403

  /// The meeting has ended.
  case meetingEnded = 4410

  /// The gateway has a defect.
  case internalError = 4500

  /// The gateway is overloaded or about to stop, or a service is unreachable.
  case unavailable = 4503

  /// The client reads too slowly.
  case tooSlow = 4508

  /// The client sent nothing for too long.
  case silent = 4509
}
