/// A configuration in its original form. The core compares it and forwards it, but does not read
/// it.
struct ConfigurationSource: Sendable, Hashable {
  /// The encoded message, which is always valid.
  let packed: [UInt8]

  /// The region in status events for clients; may be empty.
  let region: String

  /// The JSON text in status events for clients.
  let json: String
}
