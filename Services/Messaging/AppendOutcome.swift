import Storage

/// The outcome of an attempt to send a message.
enum AppendOutcome: Hashable, Sendable {
  /// The message has its place, which is valid once it is stored.
  case accepted(StoredMessage)
  /// The message was sent before, with this outcome; the first attempt may not be stored yet.
  case repeated(MessagePlace)
  /// The soft limit rejected the message: it is neither stored nor delivered.
  ///
  /// - Parameter retryAfter: The earliest time of a successful retry, in milliseconds from now.
  case throttled(retryAfter: UInt32)
}
