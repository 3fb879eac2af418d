/// The other end of a datagram, in the form that the owner of the peers uses to reach this end.
///
/// At present, every address is a UDP address. A TCP stream or a relay's channel would become
/// another case.
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
