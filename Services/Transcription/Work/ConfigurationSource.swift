/// A configuration as it came: the core compares it and hands it on, and does not look into it.
struct ConfigurationSource: Sendable, Hashable {
  /// The message, packed. It can always be unpacked.
  let packed: [UInt8]

  /// Where it is to run, as clients are told; may be empty.
  let region: String

  /// The JSON that clients are told.
  let json: String
}
