/// Finds the peer of a datagram on a port that all peers share: by the fragment in a check, and by
/// the address of everything else.
public struct PeerDirectory<ID: Hashable> {
  private var byFragment: [String: ID] = [:]
  private var byAddress: [PeerAddress: ID] = [:]

  /// Makes an empty one.
  public init() {}

  /// Adds a peer with the fragment of its credentials on this side.
  public mutating func add(_ id: ID, fragment: String) { byFragment[fragment] = id }

  /// Removes a peer's fragment. Its addresses leave one by one, as the peer forgets them.
  public mutating func remove(fragment: String) { byFragment[fragment] = nil }

  /// Assigns an address to the peer that has proven it last.
  public mutating func assign(_ address: PeerAddress, to id: ID) { byAddress[address] = id }

  /// Takes an address away from a peer, unless another one has proven it since.
  public mutating func forget(_ address: PeerAddress, of id: ID) {
    guard byAddress[address] == id else { return }
    byAddress[address] = nil
  }

  /// Returns the peer of a message of STUN: by the fragment that it names, or else by its address.
  ///
  /// A fragment that nobody has leads nowhere: an answer would serve those who forge addresses.
  public func owner(of message: STUNMessage, from address: PeerAddress) -> ID? {
    guard let fragment = ICEAgent.fragment(of: message) else { return byAddress[address] }
    return byFragment[fragment]
  }

  /// Returns the peer that has proven an address.
  public func owner(of address: PeerAddress) -> ID? { byAddress[address] }
}
