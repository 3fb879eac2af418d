import RTP

/// The last packets of one incoming layer, for retransmission.
///
/// The cache limits the number, the bytes and the age of packets. The cache reuses slots, so it
/// allocates no memory once every slot has stored a packet.
struct PacketCache: Sendable {
  private struct Slot: Sendable {
    var number: Int64 = .min
    var at = MonotonicTime(microseconds: 0)
    var packet: VideoPacket?
    var bytes: [UInt8] = []
  }

  private let maximumBytes: Int
  private let maximumAge: Int64
  private let capacity: Int
  private var slots: [Slot] = []
  private var oldest: Int64 = 0
  private var highest: Int64?

  /// The total size of the packets in the cache, in bytes.
  private(set) var byteCount = 0

  /// - Parameter packets: The maximum number of packets, a power of two.
  init(packets: Int, bytes: Int, age: Duration) {
    precondition(packets > 0 && packets & (packets - 1) == 0, "The capacity is a power of two.")
    capacity = packets
    maximumBytes = bytes
    maximumAge = age.wholeUs
  }

  /// Stores a copy of a packet, unless the packet is too old.
  mutating func store(_ bytes: Span<UInt8>, _ packet: VideoPacket, at now: MonotonicTime) {
    if slots.isEmpty { slots = Array(repeating: Slot(), count: capacity) }
    if highest == nil { oldest = packet.number }
    let highest = max(self.highest ?? packet.number, packet.number)
    guard packet.number > highest - Int64(capacity) else { return }
    self.highest = highest
    oldest = min(oldest, packet.number)
    evict(until: highest - Int64(capacity) + 1)
    let index = slot(of: packet.number)
    if slots[index].packet != nil { byteCount -= slots[index].bytes.count }
    slots[index].number = packet.number
    slots[index].at = now
    slots[index].packet = packet
    slots[index].bytes.replaceAll(copying: bytes)
    byteCount += bytes.count
    while byteCount > maximumBytes, oldest < highest { evict(until: oldest + 1) }
  }

  /// Copies a packet into a buffer.
  ///
  /// Returns `nil` if the cache does not contain the packet, or if the packet is too old.
  func copy(_ number: Int64, into buffer: inout [UInt8], at now: MonotonicTime) -> VideoPacket? {
    guard !slots.isEmpty else { return nil }
    let index = slot(of: number)
    guard slots[index].number == number, let packet = slots[index].packet,
      now.microseconds(since: slots[index].at) <= maximumAge
    else { return nil }
    let bytes = slots[index].bytes
    buffer.replaceAll(copying: bytes.span)
    return packet
  }

  /// Removes all packets.
  mutating func clear() {
    if let highest { evict(until: highest + 1) }
    highest = nil
    byteCount = 0
  }

  private mutating func evict(until number: Int64) {
    if number - oldest > Int64(capacity) { oldest = number - Int64(capacity) }
    while oldest < number {
      let index = slot(of: oldest)
      if slots[index].packet != nil, slots[index].number < number {
        byteCount -= slots[index].bytes.count
        slots[index].packet = nil
      }
      oldest += 1
    }
  }

  private func slot(of number: Int64) -> Int { Int(truncatingIfNeeded: number) & (capacity - 1) }
}
