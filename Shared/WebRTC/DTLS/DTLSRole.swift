/// The role of one end in a DTLS handshake (RFC 5763, §5).
public enum DTLSRole: Hashable, Sendable {
  /// Sends the ClientHello: `a=setup:active`.
  case client
  /// Waits for the ClientHello: `a=setup:passive`.
  case server

  /// The other end's role.
  public var opposite: DTLSRole { self == .client ? .server : .client }
}
