/// A configuration in its original form. ``Transcriptions`` compares and forwards the
/// configuration, but does not read it.
struct OpaqueTranscriptionConfiguration: Sendable, Hashable {
  /// The encoded message, which is always valid.
  let packed: [UInt8]

  /// The region in status events for clients; may be empty.
  let region: String

  /// The JSON text in status events for clients.
  let json: String
}
