/// A configuration in its original form: the core compares it and passes it on unread.
struct ConfigurationSource: Sendable, Hashable {
  /// The packed message, which is always valid.
  let packed: [UInt8]

  /// The region that clients are shown; may be empty.
  let region: String

  /// The JSON that clients are shown.
  let json: String
}
