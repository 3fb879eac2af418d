/// Finds the peer of a datagram on a shared port. A connectivity check contains the peer's ICE
/// username fragment. The address determines the peer of any other datagram.
public struct PeerDemultiplexer<ID: Hashable> {
  private var byFragment: [String: ID] = [:]
  private var byAddress: [PeerAddress: ID] = [:]

  /// Creates a demultiplexer without peers.
  public init() {}

  /// Adds a peer. `fragment` is the username fragment of this side's credentials for the peer.
  public mutating func add(_ id: ID, fragment: String) { byFragment[fragment] = id }

  /// Removes a peer's username fragment.
  ///
  /// The caller removes the peer's addresses separately, with ``forget(_:of:)``.
  public mutating func remove(fragment: String) { byFragment[fragment] = nil }

  /// Assigns an address to the peer that last validated the address.
  public mutating func assign(_ address: PeerAddress, to id: ID) { byAddress[address] = id }

  /// Removes an address from a peer, unless another peer has validated the address after this peer.
  public mutating func forget(_ address: PeerAddress, of id: ID) {
    guard byAddress[address] == id else { return }
    byAddress[address] = nil
  }

  /// Returns the peer of a STUN message. The ICE username fragment in the message determines the
  /// peer. If the message contains no fragment, the address determines the peer.
  ///
  /// A message with an unknown fragment has no peer, because an answer would help attackers who
  /// forge addresses.
  public func owner(of message: STUNMessage, from address: PeerAddress) -> ID? {
    guard let fragment = ICEAgent.fragment(of: message) else { return byAddress[address] }
    return byFragment[fragment]
  }

  /// Returns the peer that validated an address.
  public func owner(of address: PeerAddress) -> ID? { byAddress[address] }
}
