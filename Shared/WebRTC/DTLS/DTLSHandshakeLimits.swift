/// The limits on the work and memory that a peer can cause before the handshake has authenticated
/// the peer.
public struct DTLSHandshakeLimits: Hashable, Sendable {
  /// The time within which a handshake must complete.
  public var patience: Duration

  /// The maximum number of datagrams that the handshake reads before it has authenticated the peer.
  public var datagrams: Int

  /// The maximum number of bytes that the handshake reads before it has authenticated the peer.
  public var bytes: Int

  /// The maximum size of a handshake message. OpenSSL allocates this memory at the message's first
  /// fragment.
  public var messageBytes: Int

  /// - Parameters:
  ///   - datagrams: The maximum number of datagrams. A handshake needs about 6 datagrams, and up to
  ///     60 datagrams on a lossy link.
  ///   - bytes: The maximum number of bytes. A handshake needs about 3,000 bytes, and about 5,000
  ///     bytes with post-quantum keys.
  ///   - messageBytes: The maximum size of a handshake message. The largest message of browsers is
  ///     a hello of about 1,800 bytes.
  public init(
    patience: Duration = .seconds(30), datagrams: Int = 256, bytes: Int = 131_072,
    messageBytes: Int = 8_192
  ) {
    (self.patience, self.datagrams) = (patience, datagrams)
    (self.bytes, self.messageBytes) = (bytes, messageBytes)
  }
}
