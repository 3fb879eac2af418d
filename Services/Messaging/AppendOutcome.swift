import Storage

/// What became of an attempt to send.
enum AppendOutcome: Hashable, Sendable {
  /// It has its place, and counts once it is stored.
  case accepted(StoredMessage)
  /// It was sent before, and this is what it became. It may be about to be stored still.
  case repeated(MessagePlace)
  /// Refused by the soft limit: neither kept nor delivered.
  ///
  /// - Parameter retryAfter: In how many milliseconds it can succeed, at the earliest.
  case throttled(retryAfter: UInt32)
}
