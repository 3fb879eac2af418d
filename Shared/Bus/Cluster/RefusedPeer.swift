/// The reason why a peer was refused over tcp.
public enum RefusedPeer: String, Sendable, CaseIterable {
  /// It does not encrypt with CURVE, so it has no key.
  case noKey = "no_key"
  /// It expected another server key.
  case wrongKey = "wrong_key"
  /// Its key is not in the list.
  case unknownKey = "unknown_key"
  /// Its key is in the list, for another role.
  case otherRole = "other_role"
  /// Its key was revoked.
  case revoked
  /// It disconnected during the handshake, or did not complete it in time.
  case silent
  /// It broke the protocol.
  case malformed
  /// The limit of connections was reached.
  case crowded
}
