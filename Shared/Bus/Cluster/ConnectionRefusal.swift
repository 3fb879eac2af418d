internal import MeetingModel
internal import ZeroMQ

/// The reason why connections to an endpoint end before the first message.
enum ConnectionRefusal: Hashable {
  /// The server has read this client's key and does not admit the key.
  case keyNotAllowed
  /// One side encrypts and the other side does not.
  case otherMechanism
  /// The server disconnects, most likely because the server's key differs from the key that this
  /// client expects.
  case hangsUp

  /// The number of consecutive broken handshakes after which the client assumes a refusal.
  private static let broken = 4

  /// - Parameter count: The number of consecutive failed handshakes.
  /// - Returns: The reason; `nil` for a failure that may be accidental.
  init?(_ failure: MonitorEvent.HandshakeFailure, after count: Int) {
    switch failure {
    case .refused: self = .keyNotAllowed
    case .violatedProtocol where failure.isOtherMechanism: self = .otherMechanism
    case .violatedProtocol, .interrupted:
      guard count >= Self.broken else { return nil }
      self = .hangsUp
    }
  }

  /// Returns the status for callers that wait for the connection.
  ///
  /// The connection may still succeed, because the server's list can change.
  func status(of endpoint: Endpoint) -> Status {
    switch self {
    case .keyNotAllowed:
      Status(
        .unavailable,
        "\(endpoint) refuses this side's key; allow it there with carillon keys allow.")
    case .otherMechanism:
      Status(
        .unavailable,
        "\(endpoint) uses encryption and this side does not, or the reverse; check ?curve=.")
    case .hangsUp:
      Status(
        .unavailable,
        "\(endpoint) closes the connection; its key may differ from the key in ?curve=.")
    }
  }
}
