internal import MeetingModel
internal import ZeroMQ

/// Why connections to an endpoint end before anything can be said.
enum ConnectionRefusal: Hashable {
  /// The other side knows this side's key, and does not let it in.
  case keyNotAllowed
  /// One side encrypts and the other does not.
  case otherMechanism
  /// The other side hangs up: most likely it has another key than it is taken for.
  case hangsUp

  /// Handshakes that break off one behind the other before that means something.
  private static let broken = 4

  /// - Parameter count: How many handshakes have failed in a row.
  /// - Returns: `nil` for what may be chance.
  init?(_ failure: MonitorEvent.HandshakeFailure, after count: Int) {
    switch failure {
    case .refused: self = .keyNotAllowed
    case .violatedProtocol where failure.isOtherMechanism: self = .otherMechanism
    case .violatedProtocol, .interrupted:
      guard count >= Self.broken else { return nil }
      self = .hangsUp
    }
  }

  /// What is told to whoever waits for the connection. It may come about yet: the other side's list
  /// can change.
  func status(of endpoint: Endpoint) -> Status {
    switch self {
    case .keyNotAllowed:
      Status(
        .unavailable,
        "\(endpoint) refuses this side's key; allow it there with carillon keys allow.")
    case .otherMechanism:
      Status(
        .unavailable, "\(endpoint) is encrypted otherwise than it is called; check ?curve=.")
    case .hangsUp:
      Status(
        .unavailable, "\(endpoint) hangs up; it may have another key than ?curve= names.")
    }
  }
}
