import Storage

/// The outcome of an attempt to send a message.
enum AppendOutcome: Hashable, Sendable {
  /// The message has its place in the log. The place is valid after the store has the message.
  case accepted(StoredMessage)
  /// The message repeats an earlier one, and has its place. The store may not have the earlier one
  /// yet.
  case repeated(StoredMessageSummary)
  /// The soft limit rejected the message. It is neither stored nor delivered.
  ///
  /// - Parameter retryAfter: The earliest time of a successful retry, in milliseconds from now.
  case throttled(retryAfter: UInt32)
}
