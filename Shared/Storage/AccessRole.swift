/// What an access key may be used for.
public enum AccessRole: String, CaseIterable, Codable, Hashable, Sendable {
  /// Every operation.
  case all

  /// Making meetings and attendees, and nothing else.
  case createOnly = "create-only"

  /// Looking, which includes the join tokens of attendees; nothing is changed.
  case readOnly = "read-only"
}
