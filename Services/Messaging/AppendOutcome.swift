import Storage

/// The outcome of an attempt to send a message.
enum AppendOutcome: Hashable, Sendable {
  /// The message got a place in the log. The place becomes valid when the store contains the
  /// message.
  case accepted(StoredMessage)
  /// The message repeats an earlier message, and has the place of that message. The earlier message
  /// may still be waiting for the store.
  case repeated(StoredMessageSummary)
  /// The message exceeds the soft limit. The service neither stores nor delivers it.
  ///
  /// - Parameter retryAfter: The number of milliseconds after which a retry can succeed.
  case throttled(retryAfter: UInt32)
}
