/// What was sent on one connection and has not been acknowledged.
///
/// A packet counts as under way until the other side says that it came, or until one that was sent
/// ``patience`` later came and it did not; all do for ten seconds at most. When nothing was heard
/// for ``silence``, packets that are older do not count any more, although they may still come:
/// where all that is under way was lost, nothing else would ever say so. Holds so many packets as
/// ``capacity`` says; older ones count as gone.
public struct SentLog: Sendable {
  private struct Entry: Sendable {
    var ssrc: UInt32 = 0
    var sequence = SequenceNumber(0)
    var bytes: UInt16 = 0
    var isOpen = false

    /// The other side has said that it did not come.
    var isMissed = false

    /// It does not count as under way any more.
    var isReleased = false
    var sentAt: Int64 = 0
  }

  /// What came of reading a feedback.
  public struct Outcome: Hashable, Sendable {
    /// Packets that have arrived since the one before.
    public var arrived = 0

    /// Packets that have not, and will not any more.
    public var lost = 0

    /// Makes one; without figures it says that nothing came.
    public init(arrived: Int = 0, lost: Int = 0) { (self.arrived, self.lost) = (arrived, lost) }
  }

  /// The most packets that are remembered; a power of two.
  static let capacity = 4_096

  /// How much later another packet must have been sent for one that did not come to be lost.
  static let patience: Int64 = 150_000

  /// How long nothing may be heard while packets count as under way.
  static let silence: Int64 = 500_000

  private static let life: Int64 = 10_000_000

  /// What may be under way on a link from which nothing is heard, in bytes: two large packets.
  private static let trial = 2_800

  private var entries: [Entry] = []
  private var first = 0
  private var count = 0
  private var newestArrived = Int64.min / 2

  /// When the other side said last that something came.
  private var heardAt = Int64.min / 2

  /// Bytes that are under way.
  public private(set) var bytesInFlight = 0

  /// Packets were released because nothing was heard, and nothing was heard since.
  private var hasFallenSilent = false

  /// Makes one of a connection on which nothing was sent.
  public init() {}

  /// A packet is handed to the connection.
  public mutating func send(
    _ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MediaTime
  ) {
    if count == entries.count { grow() }
    if count == Self.capacity { dropFirst() }
    var entry = Entry(ssrc: ssrc, sequence: sequence)
    entry.bytes = UInt16(clamping: bytes)
    entry.isOpen = true
    entry.sentAt = now.microseconds
    entries[(first + count) & (entries.count - 1)] = entry
    count += 1
    bytesInFlight += Int(entry.bytes)
  }

  /// Whether so many bytes may be sent now.
  ///
  /// On a link that has fallen silent a little is tried again and again: what waits on it comes
  /// when it is back, and nobody can take it back.
  ///
  /// - Parameter window: What may be under way at a time.
  public func hasRoom(for bytes: Int, in window: Int) -> Bool {
    bytesInFlight + bytes <= (hasFallenSilent ? min(Self.trial, window) : window)
  }

  /// The other side says what came.
  ///
  /// - Parameter body: Is called for each packet that arrived, in the order in which they were
  ///   sent.
  public mutating func receive(
    _ report: ArrivalReport, at now: MediaTime, _ body: (PacketArrival) -> Void
  ) -> Outcome {
    var outcome = Outcome()
    for place in 0..<count {
      let index = (first + place) & (entries.count - 1)
      guard entries[index].isOpen else { continue }
      switch report.fate(of: entries[index].ssrc, entries[index].sequence) {
      case .unreported: break
      case .missing: entries[index].isMissed = true
      case .arrived(let time):
        outcome.arrived += 1
        body(arrival(of: index, at: time))
      }
    }
    if outcome.arrived > 0 { (heardAt, hasFallenSilent) = (now.microseconds, false) }
    outcome.lost = settle(at: now)
    return outcome
  }

  /// Forgets what is too old to come, without a word of the other side.
  public mutating func expire(at now: MediaTime) {
    _ = settle(at: now)
    guard now.microseconds - heardAt > Self.silence else { return }
    for place in 0..<count {
      let index = (first + place) & (entries.count - 1)
      guard now.microseconds - entries[index].sentAt > Self.silence else { break }
      guard entries[index].isOpen else { continue }
      release(index)
      hasFallenSilent = true
    }
  }

  /// For so long a packet waits for a word, and none of any other came.
  public func isSilent(for duration: Duration, at now: MediaTime) -> Bool {
    guard count > 0 else { return false }
    let since = max(heardAt, entries[first].sentAt)
    return now.microseconds - since > duration.wholeUs
  }

  /// Nothing is under way any more: the connection is another one.
  public mutating func removeAll() { self = SentLog() }

  private mutating func arrival(of index: Int, at time: Int64) -> PacketArrival {
    close(index)
    newestArrived = max(newestArrived, entries[index].sentAt)
    return PacketArrival(
      sentAt: entries[index].sentAt, arrivedAt: time, bytes: Int(entries[index].bytes))
  }

  private mutating func settle(at now: MediaTime) -> Int {
    var lost = 0
    for place in 0..<count {
      let index = (first + place) & (entries.count - 1)
      let sentAt = entries[index].sentAt
      let isOverdue = sentAt < newestArrived - Self.patience
      guard isOverdue || now.microseconds - sentAt > Self.life else { break }
      guard entries[index].isOpen else { continue }
      if entries[index].isMissed { lost += 1 }
      close(index)
    }
    while count > 0, !entries[first].isOpen { dropFirst() }
    return lost
  }

  private mutating func close(_ index: Int) {
    entries[index].isOpen = false
    release(index)
  }

  private mutating func release(_ index: Int) {
    guard !entries[index].isReleased else { return }
    entries[index].isReleased = true
    bytesInFlight -= Int(entries[index].bytes)
  }

  private mutating func dropFirst() {
    if entries[first].isOpen { close(first) }
    first = (first + 1) & (entries.count - 1)
    count -= 1
  }

  private mutating func grow() {
    guard entries.count < Self.capacity else { return }
    var larger = Array(repeating: Entry(), count: max(64, entries.count * 2))
    for place in 0..<count { larger[place] = entries[(first + place) & (entries.count - 1)] }
    (entries, first) = (larger, 0)
  }
}
