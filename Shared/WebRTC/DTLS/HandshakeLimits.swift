/// Bounds on what a peer can make one handshake keep and do before it is authenticated.
public struct HandshakeLimits: Hashable, Sendable {
  /// How long a handshake may take.
  public var patience: Duration

  /// Datagrams that are read before the peer is authenticated.
  public var datagrams: Int

  /// Bytes that are read before the peer is authenticated.
  public var bytes: Int

  /// Bytes of one handshake message. OpenSSL allocates as many for the first fragment of each.
  public var messageBytes: Int

  /// - Parameters:
  ///   - datagrams: A handshake takes about 6, a lossy one up to 60.
  ///   - bytes: A handshake takes about 3,000, with post-quantum keys 5,000.
  ///   - messageBytes: The largest message of browsers is a hello of about 1,800 bytes.
  public init(
    patience: Duration = .seconds(30), datagrams: Int = 256, bytes: Int = 131_072,
    messageBytes: Int = 8_192
  ) {
    (self.patience, self.datagrams) = (patience, datagrams)
    (self.bytes, self.messageBytes) = (bytes, messageBytes)
  }
}
