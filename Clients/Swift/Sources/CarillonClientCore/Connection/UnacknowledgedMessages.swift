/// The queue of the unanswered data messages of one session, in the order of their addition.
///
/// The queue is a value without I/O: the caller adds messages and answers, and requests the next
/// message. A message keeps its number and its idempotency key through all retries, so that the
/// server stores the message once. At most ``Limits/window`` messages are in flight.
///
/// When a message needs a retry, the queue sends nothing until the server has answered the other
/// messages in flight. The queue then sends only the oldest message. After the answer to the oldest
/// message, the queue sends the rest. So during a temporary failure, the queue retries only one
/// message.
///
/// The queue never sends a message that exceeds the queue's limits. After the answers to all
/// earlier messages, the queue returns this message together with every message that the
/// application added in the meantime. So returned messages keep their order, although the server
/// answers throttled messages earlier than stored messages.
struct UnacknowledgedMessages: Sendable {
  typealias Instant = ContinuousClock.Instant

  struct Entry: Sendable {
    /// The number that identifies the message within the session. Numbers ascend.
    let number: UInt64
    let message: OutgoingMessage
    fileprivate(set) var firstSentAt: Instant?
    fileprivate(set) var isUnderWay = false

    /// Whether the server may have received the message.
    var wasSent: Bool { firstSentAt != nil }
  }

  /// The limits of the queue and of the messages in flight.
  struct Limits: Sendable {
    /// The maximum number of messages in the queue, in flight or waiting.
    ///
    /// After a lost connection, a session sends all these messages in one burst. With more
    /// messages, the server would end the session.
    var messages = 1024
    /// The maximum number of bytes in the queue.
    var bytes = 1 << 20
    /// The maximum number of messages in flight. A gateway serves 64 concurrent calls of a
    /// connection, including keep-alives.
    var window = 48
    /// How long after the first attempt the queue may send a message again.
    ///
    /// The server forgets a message's key after 180 s, and would then store the message twice.
    var repeatTime = Duration.seconds(150)
  }

  private enum Hold {
    case none
    /// A message needs a retry, and the queue waits for ``UnacknowledgedMessages/release()``.
    case held
    /// The queue sends the oldest message as soon as no message is in flight.
    case released
    /// The oldest message alone is in flight.
    case trying
  }

  private let limits: Limits
  private var entries: [Entry] = []

  /// The messages that exceeded the limits, oldest first.
  private var overflow: ArraySlice<Entry> = []
  private var bytes = 0
  private var underWay = 0
  private var lastNumber: UInt64 = 0
  private var hold = Hold.none

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether the queue is empty: the server has answered, or the queue has returned, each message.
  var isEmpty: Bool { entries.isEmpty && overflow.isEmpty }

  /// Adds a message. Returns `false` if the queue is full. In this case, ``takeReturned()`` later
  /// returns the message.
  mutating func add(_ message: OutgoingMessage) -> Bool {
    lastNumber += 1
    let entry = Entry(number: lastNumber, message: message)
    guard overflow.isEmpty, entries.count < limits.messages,
      bytes + message.size <= limits.bytes
    else {
      overflow.append(entry)
      return false
    }
    entries.append(entry)
    bytes += message.size
    return true
  }

  /// Returns the message to send now, if there is one, and marks this message as in flight.
  mutating func next(at now: Instant) -> Entry? {
    switch hold {
    case .none: break
    case .held, .trying: return nil
    case .released: guard underWay == 0 else { return nil }
    }
    guard underWay < limits.window, let index = entries.firstIndex(where: { !$0.isUnderWay }) else {
      return nil
    }
    if case .released = hold { hold = .trying }
    entries[index].isUnderWay = true
    entries[index].firstSentAt = entries[index].firstSentAt ?? now
    underWay += 1
    return entries[index]
  }

  /// Removes and returns a message that has its final answer. Returns `nil` if the message is not
  /// in the queue.
  mutating func settle(_ number: UInt64) -> OutgoingMessage? {
    guard let index = index(of: number) else { return nil }
    if case .trying = hold { hold = .none }
    return remove(at: index).message
  }

  /// Marks a message for a retry after a pause.
  mutating func postpone(_ number: UInt64) {
    guard let index = index(of: number), entries[index].isUnderWay else { return }
    entries[index].isUnderWay = false
    underWay -= 1
    hold = .held
  }

  /// Ends the pause that ``postpone(_:)`` began.
  mutating func release() {
    if case .held = hold { hold = .released }
  }

  /// Marks all messages in flight for a retry on the next connection, because their answers can no
  /// longer arrive.
  mutating func connectionWasLost() {
    for index in entries.indices { entries[index].isUnderWay = false }
    underWay = 0
    hold = entries.contains { $0.wasSent } ? .released : .none
  }

  /// Removes and returns the messages whose retry window has passed. Call this method before
  /// ``next(at:)``.
  mutating func takeOverdue(at now: Instant) -> [OutgoingMessage] {
    // Messages that the client has already sent are at the front of the queue, because retries
    // precede new messages.
    let sent = entries.prefix { $0.wasSent }
    let overdue = sent.filter { entry in
      guard let firstSentAt = entry.firstSentAt else { return false }
      return !entry.isUnderWay && now - firstSentAt > limits.repeatTime
    }
    return overdue.compactMap { entry in index(of: entry.number).map { remove(at: $0).message } }
  }

  /// Removes and returns the messages that exceeded the queue's limits, except messages that the
  /// application added after a message that is still unanswered.
  mutating func takeReturned() -> [OutgoingMessage] {
    let oldest = entries.first?.number ?? .max
    let returned = overflow.prefix { $0.number < oldest }
    overflow = overflow.dropFirst(returned.count)
    return returned.map(\.message)
  }

  /// Removes and returns all unanswered messages. The queue sends nothing more.
  mutating func takeAll() -> [Entry] {
    defer { (entries, bytes, underWay, hold) = ([], 0, 0, .none) }
    return entries
  }

  private func index(of number: UInt64) -> Int? { entries.firstIndex { $0.number == number } }

  private mutating func remove(at index: Int) -> Entry {
    let entry = entries.remove(at: index)
    bytes -= entry.message.size
    if entry.isUnderWay { underWay -= 1 }
    return entry
  }
}
