/// The address of the other end of a datagram. The owner of the peers sends datagrams to this
/// address, in the way that the address's case determines.
///
/// At present, every address is a UDP address. A TCP stream or a relay's channel would become
/// another case.
public enum PeerAddress: Hashable, Sendable {
  /// A UDP address. The owner sends to this address through its UDP socket.
  case udp(UDPAddress)

  /// The address that XOR-MAPPED-ADDRESS reports to the peer (RFC 8489, §14.2).
  public var reflexive: UDPAddress {
    switch self {
    case .udp(let address): address
    }
  }
}
