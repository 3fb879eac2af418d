import Storage

/// The newest messages of a log: all unstored messages, and a limited number of stored messages.
struct RecentMessages: Sendable {
  /// The messages, ascending by sequence, excluding pruned messages.
  private(set) var messages: [StoredMessage] = []

  /// The sum of ``StoredMessage/replaySize`` of all messages.
  private(set) var bytes = 0

  /// The limit for stored messages.
  struct Limit: Hashable, Sendable {
    var messages: Int
    var bytes: Int
  }

  mutating func append(_ message: StoredMessage) {
    messages.append(message)
    bytes += message.replaySize
  }

  func all(after sequence: UInt64) -> [StoredMessage] {
    Array(messages[messages.firstIndex(after: sequence)...])
  }

  /// Drops the oldest messages if the messages exceed the limit.
  ///
  /// The method then drops messages until three quarters of the limit remain, so that it rarely has
  /// to move the remaining messages in memory.
  ///
  /// - Parameter stored: The sequence of the last stored message. Later messages remain, because
  ///   the store does not contain them.
  mutating func trim(to limit: Limit, through stored: UInt64) {
    guard messages.count > limit.messages || bytes > limit.bytes else { return }
    let end = messages.firstIndex(after: stored)
    var (count, rest) = (0, bytes)
    while count < end,
      messages.count - count > limit.messages * 3 / 4 || rest > limit.bytes / 4 * 3
    {
      rest -= messages[count].replaySize
      count += 1
    }
    messages.removeFirst(count)
    bytes = rest
  }

  mutating func removeAll(after sequence: UInt64) {
    let first = messages.firstIndex(after: sequence)
    bytes -= messages[first...].reduce(0) { $0 + $1.replaySize }
    messages.removeSubrange(first...)
  }

  mutating func removeAll(in sequences: Set<UInt64>) {
    messages.removeAll { sequences.contains($0.sequence) }
    bytes = messages.reduce(0) { $0 + $1.replaySize }
  }
}
