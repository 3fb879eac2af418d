/// The reason why this process refused a peer over tcp.
public enum PeerRefusalReason: String, Sendable, CaseIterable {
  /// The peer does not encrypt with CURVE, so it has no key.
  case noKey = "no_key"
  /// The peer expected another server key.
  case wrongKey = "wrong_key"
  /// The peer's key is not in the list.
  case unknownKey = "unknown_key"
  /// The peer's key is in the list, but for another role.
  case otherRole = "other_role"
  /// The list revokes the peer's key.
  case revoked
  /// The peer disconnected during the handshake, or did not complete the handshake in time.
  case silent
  /// The peer broke the protocol.
  case malformed
  /// The port already had its maximum number of connections.
  case crowded
}
