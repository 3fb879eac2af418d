/// Brings the packets of one stream into order, and says what is missing when it was waited for
/// long enough.
///
/// Keeps copies in slots that are used again, as many as it has been told. It never waits longer
/// than `timeout`, nor for a packet that is a whole buffer behind.
public struct ReorderBuffer: Sendable {
  private struct Slot: Sendable {
    var number: Int64 = .min
    var bytes: [UInt8] = []
  }

  /// What comes next.
  public enum Step: Hashable, Sendable {
    /// A packet: its bytes are in this slot until the next call.
    case packet(slot: Int)

    /// So many packets are missing here.
    case gap(Int)
  }

  private let timeout: Int64
  private let maximumPacketBytes: Int
  private var slots: [Slot]
  private var unwrapper = SequenceUnwrapper()
  private var next: Int64?
  private var waitingSince: MediaTime?

  /// Packets that were passed over to make room, and not told yet.
  private var skipped = 0

  /// Packets that were refused: come before, too late, or too large.
  public private(set) var refused = 0

  /// - Parameters:
  ///   - capacity: In packets; a power of two.
  ///   - timeout: How long a missing packet is waited for.
  public init(
    capacity: Int = 512, timeout: Duration = .milliseconds(200), maximumPacketBytes: Int = 2_048
  ) {
    precondition(
      capacity > 0 && capacity & (capacity - 1) == 0, "The capacity is a power of two.")
    slots = Array(repeating: Slot(), count: capacity)
    self.timeout = timeout.wholeUs
    self.maximumPacketBytes = maximumPacketBytes
  }

  /// A packet came.
  public mutating func insert(_ sequence: SequenceNumber, _ bytes: Span<UInt8>, at now: MediaTime) {
    guard bytes.count <= maximumPacketBytes else {
      refused += 1
      return
    }
    var number = unwrapper.peek(sequence)
    if let highest = unwrapper.highest,
      abs(number - highest) > ReceptionStatistics.maximumDropout
    {
      // The stream began anew: what waits is of no use any more.
      restart()
      number = unwrapper.peek(sequence)
    }
    _ = unwrapper.unwrap(sequence)
    let expected = next ?? number
    next = expected
    let index = slot(of: number)
    guard number >= expected, slots[index].number != number else {
      refused += 1
      return
    }
    // What it would overwrite is a whole buffer behind: nobody waits for that any longer.
    if number - expected >= Int64(slots.count) { next = number - Int64(slots.count) + 1 }
    skipped += max(0, Int((next ?? number) - expected))
    slots[index].number = number
    slots[index].bytes.replaceAll(copying: bytes)
    if waitingSince == nil { waitingSince = now }
  }

  /// The next packet or gap. `nil`: wait.
  public mutating func step(at now: MediaTime) -> Step? {
    guard let expected = next, let highest = unwrapper.highest, expected <= highest else {
      waitingSince = nil
      return nil
    }
    if skipped > 0 {
      defer { skipped = 0 }
      return .gap(skipped)
    }
    let index = slot(of: expected)
    if slots[index].number == expected {
      next = expected + 1
      waitingSince = nil
      return .packet(slot: index)
    }
    let since = waitingSince ?? now
    waitingSince = since
    guard now.microseconds(since: since) >= timeout else { return nil }
    var found = expected + 1
    while found < highest, slots[slot(of: found)].number != found { found += 1 }
    next = found
    waitingSince = nil
    return .gap(Int(found - expected))
  }

  /// Lends the bytes of a packet that ``step(at:)`` named.
  public func withPacket<R>(_ slot: Int, _ body: (Span<UInt8>) -> R) -> R {
    let bytes = slots[slot].bytes
    return body(bytes.span)
  }

  private mutating func restart() {
    for index in slots.indices { slots[index].number = .min }
    unwrapper = SequenceUnwrapper()
    skipped += 1
    next = nil
    waitingSince = nil
  }

  private func slot(of number: Int64) -> Int { Int(truncatingIfNeeded: number) & (slots.count - 1) }
}
