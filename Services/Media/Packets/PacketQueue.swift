import Bus

/// Packets that wait for one receiver whose connection takes no more now: the newest, oldest first.
struct PacketQueue {
  private var kept: [FramedMessage] = []
  private var first = 0

  /// About a second of one video and the mix.
  static let capacity = 256

  var count: Int { kept.count - first }

  /// Bytes of all of them.
  private(set) var bytes = 0

  /// All of them, oldest first.
  var packets: ArraySlice<FramedMessage> { kept[first...] }

  /// - Returns: Whether the oldest packet was dropped to make room.
  mutating func append(_ packet: FramedMessage) -> Bool {
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
