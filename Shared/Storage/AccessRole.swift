/// The operations that an access key allows.
public enum AccessRole: String, CaseIterable, Codable, Hashable, Sendable {
  /// Every operation.
  case all

  /// Creating meetings and attendees, and nothing else.
  case createOnly = "create-only"

  /// Reading, including attendees' join tokens, without any change.
  case readOnly = "read-only"
}
