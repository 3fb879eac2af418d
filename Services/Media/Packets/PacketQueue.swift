import Bus

/// The newest packets for one receiver whose connection is full, oldest first.
struct PacketQueue {
  private var kept: [ZMTPFramedMessage] = []
  private var first = 0

  /// The capacity in packets, enough for about a second of one video and the mix.
  static let capacity = 256

  var count: Int { kept.count - first }

  /// The total size of the packets, in bytes.
  private(set) var bytes = 0

  /// The packets, oldest first.
  var packets: ArraySlice<ZMTPFramedMessage> { kept[first...] }

  /// - Returns: Whether the queue dropped its oldest packet to make room.
  mutating func append(_ packet: ZMTPFramedMessage) -> Bool {
    let isFull = count == Self.capacity
    if isFull {
      bytes -= kept[first].count
      first += 1
    }
    if first > Self.capacity {
      kept.removeFirst(first)
      first = 0
    }
    kept.append(packet)
    bytes += packet.count
    return isFull
  }
}
