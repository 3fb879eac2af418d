/// The other end of a datagram, as the owner of peers reaches it.
///
/// Today that is a UDP address. A stream of TCP or a relay's channel becomes another case.
public enum PeerAddress: Hashable, Sendable {
  /// The other end is an address of the owner's UDP socket.
  case udp(UDPAddress)

  /// The address that XOR-MAPPED-ADDRESS shows to the peer (RFC 8489, §14.2).
  public var reflexive: UDPAddress {
    switch self {
    case .udp(let address): address
    }
  }
}
