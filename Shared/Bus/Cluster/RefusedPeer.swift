/// Why somebody who came over tcp was not let in.
public enum RefusedPeer: String, Sendable, CaseIterable {
  /// It does not encrypt, or not by CURVE: it has no key.
  case noKey = "no_key"
  /// It took this side for the owner of another key.
  case wrongKey = "wrong_key"
  /// Its key is not in the list.
  case unknownKey = "unknown_key"
  /// Its key is in the list, for something else.
  case otherRole = "other_role"
  /// Its key was in the list once.
  case revoked
  /// It went, or did not say in time, who it is.
  case silent
  /// What it said broke the protocol.
  case malformed
  /// As many were connected as may be.
  case crowded
}
