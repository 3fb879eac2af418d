/// The operations that an access key allows.
public enum AccessRole: String, CaseIterable, Codable, Hashable, Sendable {
  /// The key allows every operation.
  case all

  /// The key allows a client only to create meetings and attendees.
  case createOnly = "create-only"

  /// The key allows a client to read everything, including attendees' join tokens, and to change
  /// nothing.
  case readOnly = "read-only"
}
