/// The data messages of one session that the server has not answered yet, in the order they were
/// given.
///
/// A value: messages and answers go in, what to send next comes out. A message keeps its number,
/// and with it its idempotency key, through all repeats, so that it is stored once. As many as fit
/// the window are under way together. When one must be repeated, nothing leaves until the others
/// under way have been answered; then the oldest goes alone, and only its answer lets the rest
/// follow: what goes wrong for a while goes wrong for one message, and not for every second one.
/// A message for which there is no room is never sent; it comes back when all before it have been
/// answered, and so does what is given after it until then: messages come back in their order,
/// although the server answers what it throttles before what it stores.
struct OutgoingQueue: Sendable {
  typealias Instant = ContinuousClock.Instant

  struct Entry: Sendable {
    /// Tells the messages of a session apart; rises.
    let number: UInt64
    let message: OutgoingMessage
    fileprivate(set) var firstSentAt: Instant?
    fileprivate(set) var isUnderWay = false

    /// Whether the server may have it.
    var wasSent: Bool { firstSentAt != nil }
  }

  /// The bounds of what may wait, and of what is under way.
  struct Limits: Sendable {
    /// Messages that may be in the queue, under way or not. Well below the number at which the
    /// server ends a session that sends them all at once after a lost connection.
    var messages = 1024
    /// Their bytes.
    var bytes = 1 << 20
    /// Messages under way together. A gateway answers 64 calls at once, keep-alives among them.
    var window = 48
    /// How long after it was first sent a message may be sent again. A server forgets the key of a
    /// message after 180 s, and would store it twice.
    var repeatTime = Duration.seconds(150)
  }

  private enum Hold {
    case none
    /// A message must be repeated, not before ``OutgoingQueue/release()``.
    case held
    /// The oldest message may go as soon as nothing is under way.
    case released
    /// The oldest message is under way, alone.
    case trying
  }

  private let limits: Limits
  private var entries: [Entry] = []

  /// What there was no room for, oldest first.
  private var overflow: ArraySlice<Entry> = []
  private var bytes = 0
  private var underWay = 0
  private var lastNumber: UInt64 = 0
  private var hold = Hold.none

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether every message was answered or given back.
  var isEmpty: Bool { entries.isEmpty && overflow.isEmpty }

  /// Returns false if there is no room for the message: ``takeReturned()`` gives it back.
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

  /// The message to send now, if there is one; it counts as under way from then on.
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

  /// The server has answered for good. Returns `nil` for a message that is not in the queue.
  mutating func settle(_ number: UInt64) -> OutgoingMessage? {
    guard let index = index(of: number) else { return nil }
    if case .trying = hold { hold = .none }
    return remove(at: index).message
  }

  /// The message must be sent again, after a pause.
  mutating func postpone(_ number: UInt64) {
    guard let index = index(of: number), entries[index].isUnderWay else { return }
    entries[index].isUnderWay = false
    underWay -= 1
    hold = .held
  }

  /// The pause is over.
  mutating func release() {
    if case .held = hold { hold = .released }
  }

  /// No answer will come any more to what is under way: all of it is to be sent again, when there
  /// is a connection.
  mutating func connectionWasLost() {
    for index in entries.indices { entries[index].isUnderWay = false }
    underWay = 0
    hold = entries.contains { $0.wasSent } ? .released : .none
  }

  /// Takes out what may not be sent again any more. Call it before ``next(at:)``.
  mutating func takeOverdue(at now: Instant) -> [OutgoingMessage] {
    // Those that were sent are in front: whatever is sent again goes before what is new.
    let sent = entries.prefix { $0.wasSent }
    let overdue = sent.filter { entry in
      guard let firstSentAt = entry.firstSentAt else { return false }
      return !entry.isUnderWay && now - firstSentAt > limits.repeatTime
    }
    return overdue.compactMap { entry in index(of: entry.number).map { remove(at: $0).message } }
  }

  /// Takes out what there was no room for, as far as all before it has been answered.
  mutating func takeReturned() -> [OutgoingMessage] {
    let oldest = entries.first?.number ?? .max
    let returned = overflow.prefix { $0.number < oldest }
    overflow = overflow.dropFirst(returned.count)
    return returned.map(\.message)
  }

  /// Takes out all that was not answered: nothing more will be sent.
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
