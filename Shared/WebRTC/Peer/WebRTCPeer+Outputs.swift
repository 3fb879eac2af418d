// What a peer says of itself, of datagrams, and of what its owner has to do.
extension WebRTCPeer {
  /// How far the connection is.
  public enum Phase: Hashable, Sendable {
    /// No authentic check has come.
    case checking
    /// ICE has proven an address; media is not secured yet.
    case handshaking
    /// Media flows.
    case open
    /// The connection is over. Nothing changes that.
    case closed
  }

  /// Why a connection is over.
  public enum Ending: Hashable, Sendable {
    /// The owner closed it.
    case released
    /// The browser ended the association.
    case left
    /// The handshake could not complete.
    case failed(Handshake.Failure)
  }

  /// What the owner has to do or may want to know.
  public enum Output {
    /// Send a datagram.
    case datagram([UInt8], to: PeerAddress)
    /// Look up datagrams from this address here from now on.
    case proven(PeerAddress)
    /// Stop looking up datagrams from this address here.
    case forgotten(PeerAddress)
    /// Put a handshake in with ``begin(_:at:)``, or close the peer.
    case needsHandshake(DTLSRole)
    /// Nothing may be sent until the browser checks again (RFC 7675).
    case consentLost
    /// The browser checks again.
    case consentRestored
    /// Both ends have the same keys.
    case opened(Handshake.Association)
    /// The connection is over.
    case closed(Ending)
  }

  /// What a datagram was.
  public enum Arrival: Hashable, Sendable {
    /// A check that was answered, if only with an error.
    case check
    /// A datagram of the handshake.
    case handshake
    /// Protected media, which the owner opens.
    case media
    /// Something that this peer does not take now, or not from there.
    case ignored
  }
}
