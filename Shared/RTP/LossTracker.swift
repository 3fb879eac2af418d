/// Tracks the missing packets of a stream, and decides when to request their retransmission (RFC
/// 4585).
///
/// A number is missing when a higher number has arrived. The tracker requests the packet after
/// ``Rules/reordering``, and repeats the request every ``Rules/interval``. The tracker gives the
/// packet up after ``Rules/attempts`` requests or ``Rules/timeout``, and the stream then needs a
/// key frame. If more than ``Rules/capacity`` packets are missing, the tracker gives all missing
/// packets up. The tracker allocates nothing in the steady state.
public struct LossTracker: Sendable {
  /// The limits of requests.
  public struct Rules: Hashable, Sendable {
    /// How late a packet may be before the tracker requests it.
    public var reordering: Duration = .milliseconds(10)

    /// The minimum time between two requests for a packet. A longer round trip time replaces this
    /// time.
    public var interval: Duration = .milliseconds(40)

    /// The maximum number of requests for a packet.
    public var attempts = 6

    /// The longest wait for a packet.
    public var timeout: Duration = .milliseconds(600)

    /// The maximum number of missing packets at a time.
    public var capacity = 200

    /// Creates the default rules.
    public init() {}
  }

  /// The relation of a packet to earlier packets.
  public enum Arrival: Hashable, Sendable {
    /// The packet's number is the highest so far. The stream skipped `missing` numbers before this
    /// number.
    case next(missing: Int)

    /// The tracker had recorded the packet as missing.
    case recovered

    /// The packet is a duplicate, or the tracker has already given it up.
    case repeated

    /// The packet's number is implausible, so the tracker restarts with this packet.
    case restarted
  }

  private struct Missing: Sendable {
    let number: Int64
    let since: MonotonicTime
    var asked: MonotonicTime?
    var attempts = 0

    /// Whether the sender has certainly sent the packet.
    var isCertain = true
  }

  /// The limits of requests.
  public let rules: Rules
  private var unwrapper = SequenceUnwrapper()
  private var missing: [Missing] = []

  /// The number of packets that the tracker has given up.
  public private(set) var givenUp = 0

  /// Creates a tracker of a stream without packets.
  public init(_ rules: Rules = Rules()) {
    self.rules = rules
    missing.reserveCapacity(rules.capacity)
  }

  /// The number of missing packets.
  public var count: Int { missing.count }

  /// Records the arrival of a packet.
  public mutating func receive(_ sequence: SequenceNumber, at now: MonotonicTime) -> Arrival {
    guard let highest = unwrapper.highest else {
      _ = unwrapper.unwrap(sequence)
      return .next(missing: 0)
    }
    let number = unwrapper.peek(sequence)
    guard abs(number - highest) <= ReceptionStatistics.maximumDropout else {
      restart()
      _ = unwrapper.unwrap(sequence)
      return .restarted
    }
    guard number > highest else { return recover(number) }
    _ = unwrapper.unwrap(sequence)
    let gap = Int(number - highest - 1)
    guard missing.count + gap <= rules.capacity else {
      givenUp += missing.count + gap
      missing.removeAll(keepingCapacity: true)
      return .next(missing: gap)
    }
    // This loop counts with `Int` to avoid allocations: see ``JitterBuffer/skip(to:)``.
    for offset in 0..<gap {
      missing.append(Missing(number: highest + 1 + Int64(offset), since: now))
    }
    return .next(missing: gap)
  }

  /// Also requests the packets directly before the first packet, because the sender may have sent
  /// them.
  ///
  /// The tracker does not count these packets as given up, because the sender may have sent none of
  /// them. The caller calls this method directly after the first packet.
  public mutating func expect(
    _ count: Int, beforeFirst sequence: SequenceNumber, at now: MonotonicTime
  ) {
    let first = unwrapper.peek(sequence)
    guard missing.isEmpty, unwrapper.highest == first else { return }
    for offset in 0..<count {
      let number = first - Int64(count - offset)
      missing.append(Missing(number: number, since: now, isCertain: false))
    }
  }

  /// Records the start of the first key frame. The stream needs no packet before this packet, and
  /// the sender has certainly sent all packets after it.
  public mutating func begin(with sequence: SequenceNumber) {
    let first = unwrapper.peek(sequence)
    missing.removeAll { !$0.isCertain && $0.number < first }
    for index in missing.indices { missing[index].isCertain = true }
  }

  private mutating func recover(_ number: Int64) -> Arrival {
    guard let index = missing.firstIndex(where: { $0.number == number }) else { return .repeated }
    missing.remove(at: index)
    return .recovered
  }

  /// Collects the packets to request now, in order.
  ///
  /// - Parameters:
  ///   - roundTrip: The round trip in microseconds; 0 if unknown.
  ///   - numbers: Receives the numbers of the packets, which replace the array's previous content.
  /// - Returns: The number of packets that this call gave up.
  public mutating func takeDue(
    at now: MonotonicTime, roundTrip: Int64, into numbers: inout [SequenceNumber]
  ) -> Int {
    numbers.removeAll(keepingCapacity: true)
    guard !missing.isEmpty else { return 0 }
    let interval = max(rules.interval.wholeUs, roundTrip)
    let timeout = rules.timeout.wholeUs
    let reordering = rules.reordering.wholeUs
    var (kept, lost) = (0, 0)
    for index in missing.indices {
      var entry = missing[index]
      let waited = now.microseconds(since: entry.since)
      let rested = entry.asked.map { now.microseconds(since: $0) >= interval } ?? true
      let isExhausted = rested && entry.attempts >= rules.attempts
      guard waited < timeout, !isExhausted else {
        if entry.isCertain { lost += 1 }
        continue
      }
      if rested, waited >= reordering {
        entry.asked = now
        entry.attempts += 1
        numbers.append(SequenceNumber(UInt16(truncatingIfNeeded: entry.number)))
      }
      missing[kept] = entry
      kept += 1
    }
    missing.removeLast(missing.count - kept)
    givenUp += lost
    return lost
  }

  /// Starts again with the next packet, because the stream has restarted.
  public mutating func restart() {
    forgetMissing()
    unwrapper = SequenceUnwrapper()
  }

  /// Drops all missing packets, because the receiver has requested a key frame, or a key frame has
  /// arrived.
  public mutating func forgetMissing() {
    missing.removeAll(keepingCapacity: true)
  }
}
