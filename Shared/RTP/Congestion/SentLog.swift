/// The packets that this side has sent on a connection and that the other side has not
/// acknowledged.
///
/// The log regards a packet as in flight for at most 10 s. The packet is no longer in flight when
/// the other side has reported the packet's arrival, or the arrival of a packet that this side sent
/// ``patience`` later. If no report arrives for the duration ``silence``, packets that are older
/// than this duration no longer count as in flight, although they may still arrive. Otherwise the
/// loss of all packets in flight would stop the sender. The log contains at most ``capacity``
/// packets, and drops the oldest packet when the log is full.
public struct SentLog: Sendable {
  private struct Entry: Sendable {
    var ssrc: UInt32 = 0
    var sequence = SequenceNumber(0)
    var bytes: UInt16 = 0
    var isOpen = false

    /// Whether the other side has reported that the packet is missing.
    var isMissed = false

    /// Whether the log no longer regards the packet as in flight.
    var isReleased = false
    var sentAt: Int64 = 0
  }

  /// The result of reading a feedback message.
  public struct FeedbackResult: Hashable, Sendable {
    /// The number of packets that arrived since the last feedback message.
    public var arrived = 0

    /// The number of packets that are now considered lost.
    public var lost = 0

    /// Creates a result; the default result has no packets.
    public init(arrived: Int = 0, lost: Int = 0) { (self.arrived, self.lost) = (arrived, lost) }
  }

  /// The maximum number of packets that the log keeps, a power of two.
  static let capacity = 4_096

  /// The tolerated reordering, in microseconds. The log regards a missing packet as lost when a
  /// packet arrives that this side sent later by more than this time.
  static let patience: Int64 = 150_000

  /// The time without a report after which the log no longer regards packets as in flight, in
  /// microseconds.
  static let silence: Int64 = 500_000

  private static let life: Int64 = 10_000_000

  /// The maximum number of bytes in flight on a silent link: two large packets.
  private static let trial = 2_800

  private var entries: [Entry] = []
  private var first = 0
  private var count = 0
  private var newestArrived = Int64.min / 2

  /// The time of the last reported arrival.
  private var heardAt = Int64.min / 2

  /// The bytes in flight.
  public private(set) var bytesInFlight = 0

  /// Whether the log released packets because of silence, and no report has arrived since.
  private var hasFallenSilent = false

  /// Creates an empty log.
  public init() {}

  /// Records that the caller has passed a packet to the connection.
  public mutating func send(
    _ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MonotonicTime
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

  /// Returns whether this side may send `bytes` more bytes now.
  ///
  /// On a silent link, only a few bytes may be in flight. When a link recovers, the link delivers
  /// its queued packets, and the sender cannot recall these packets.
  ///
  /// - Parameter window: The maximum number of bytes in flight.
  public func hasRoom(for bytes: Int, in window: Int) -> Bool {
    bytesInFlight + bytes <= (hasFallenSilent ? min(Self.trial, window) : window)
  }

  /// Processes a report of the other side.
  ///
  /// - Parameter body: Called for each packet that arrived, in sending order.
  public mutating func receive(
    _ report: ArrivalReport, at now: MonotonicTime, _ body: (PacketArrival) -> Void
  ) -> FeedbackResult {
    var outcome = FeedbackResult()
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

  /// Drops packets that are too old to arrive. Call this method while no report arrives.
  public mutating func expire(at now: MonotonicTime) {
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

  /// Returns whether packets have waited for at least `duration` without a report on any packet.
  public func isSilent(for duration: Duration, at now: MonotonicTime) -> Bool {
    guard count > 0 else { return false }
    let since = max(heardAt, entries[first].sentAt)
    return now.microseconds - since > duration.wholeUs
  }

  /// Drops all packets, because another connection has replaced this connection.
  public mutating func removeAll() { self = SentLog() }

  private mutating func arrival(of index: Int, at time: Int64) -> PacketArrival {
    close(index)
    newestArrived = max(newestArrived, entries[index].sentAt)
    return PacketArrival(
      sentAt: entries[index].sentAt, arrivedAt: time, bytes: Int(entries[index].bytes))
  }

  private mutating func settle(at now: MonotonicTime) -> Int {
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
