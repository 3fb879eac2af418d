// The states, outputs and arrivals of a peer.
extension WebRTCPeer {
  /// The phase of the connection.
  public enum Phase: Hashable, Sendable {
    /// No authentic check has arrived.
    case checking
    /// ICE has validated an address, and the two sides have no media keys yet.
    case handshaking
    /// Media flows.
    case open
    /// The connection has ended permanently.
    case closed
  }

  /// The reason why a connection ended.
  public enum Ending: Hashable, Sendable {
    /// The owner closed the connection.
    case released
    /// The browser ended the association.
    case left
    /// The handshake could not complete.
    case failed(Handshake.Failure)
  }

  /// An action for the owner, or an event.
  public enum Output {
    /// Send a datagram.
    case datagram([UInt8], to: PeerAddress)
    /// Assign this address to this peer.
    case proven(PeerAddress)
    /// Stop assigning this address to this peer.
    case forgotten(PeerAddress)
    /// Pass a handshake to ``begin(_:at:)``, or close the peer.
    case needsHandshake(DTLSRole)
    /// Send nothing until the browser checks again (RFC 7675).
    case consentLost
    /// The browser has sent a check after the loss of consent.
    case consentRestored
    /// Both ends have the same keys.
    case opened(Handshake.Association)
    /// The connection has ended.
    case closed(Ending)
  }

  /// The kind of a datagram that arrived.
  public enum Arrival: Hashable, Sendable {
    /// A connectivity check. The agent answered the check, possibly with an error.
    case check
    /// A datagram of the handshake.
    case handshake
    /// Protected media, which the owner decrypts.
    case media
    /// A datagram that this peer does not accept at this time, or does not accept from this
    /// address.
    case ignored
  }
}
