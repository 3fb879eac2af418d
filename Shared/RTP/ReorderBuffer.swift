/// Reorders the packets of one stream, and reports gaps after a timeout.
///
/// The buffer copies packets into a fixed number of reused slots. The buffer waits for a missing
/// packet for at most `timeout`, or until no slot is free for a newer packet.
public struct ReorderBuffer: Sendable {
  private struct Slot: Sendable {
    var number: Int64 = .min
    var bytes: [UInt8] = []
  }

  /// The next item in order.
  public enum Step: Hashable, Sendable {
    /// A packet. Its bytes remain in this slot until the next call.
    case packet(slot: Int)

    /// A gap. The value is the number of missing packets.
    case gap(Int)
  }

  private let timeout: Int64
  private let maximumPacketBytes: Int
  private var slots: [Slot]
  private var unwrapper = SequenceUnwrapper()
  private var next: Int64?
  private var waitingSince: MonotonicTime?

  /// The skipped packets that the buffer has not reported yet.
  private var skipped = 0

  /// The number of rejected packets: duplicate, late or too large.
  public private(set) var refused = 0

  /// - Parameters:
  ///   - capacity: The number of slots, a power of two.
  ///   - timeout: The longest wait for a missing packet.
  public init(
    capacity: Int = 512, timeout: Duration = .milliseconds(200), maximumPacketBytes: Int = 2_048
  ) {
    precondition(
      capacity > 0 && capacity & (capacity - 1) == 0, "The capacity is a power of two.")
    slots = Array(repeating: Slot(), count: capacity)
    self.timeout = timeout.wholeUs
    self.maximumPacketBytes = maximumPacketBytes
  }

  /// Adds a received packet.
  public mutating func insert(
    _ sequence: SequenceNumber, _ bytes: Span<UInt8>, at now: MonotonicTime
  ) {
    guard bytes.count <= maximumPacketBytes else {
      refused += 1
      return
    }
    var number = unwrapper.peek(sequence)
    if let highest = unwrapper.highest,
      abs(number - highest) > ReceptionStatistics.maximumDropout
    {
      // The stream has restarted, so the waiting packets are useless.
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
    // The buffer stops waiting for missing packets whose numbers are lower than this packet's
    // number by `slots.count` or more.
    if number - expected >= Int64(slots.count) { next = number - Int64(slots.count) + 1 }
    skipped += max(0, Int((next ?? number) - expected))
    slots[index].number = number
    slots[index].bytes.replaceAll(copying: bytes)
    if waitingSince == nil { waitingSince = now }
  }

  /// Returns the next packet or gap; `nil` while the next packet may still arrive in time.
  public mutating func step(at now: MonotonicTime) -> Step? {
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

  /// Passes the bytes of a packet returned by ``step(at:)`` to `body`.
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
