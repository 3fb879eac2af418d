import Storage

/// The newest messages of a log: those that are not stored yet, and of the others so many.
struct RecentMessages: Sendable {
  /// Ascending by sequence; those that were pruned are missing.
  private(set) var messages: [StoredMessage] = []

  /// What ``StoredMessage/replaySize`` says of all of them.
  private(set) var bytes = 0

  /// How much stays of what is stored.
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

  /// Lets go of the oldest once there are more than the limit, and then of a quarter at once: what
  /// stays is moved seldom.
  ///
  /// - Parameter stored: Nothing behind it goes, for the store does not have it.
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
