import MeetingModel

/// Packets of publishers that wait until the link of one receiver has room.
///
/// The packets themselves are in the cache of their layer. This queue stores only the layer and the
/// number of each packet. The router numbers a packet for the receiver when it sends the packet, so
/// a dropped packet leaves no gap.
struct WaitingVideo: Sendable {
  struct Packet: Hashable, Sendable {
    /// The index of the forwarder that sends the packet.
    var forwarder: Int
    var priority: VideoPriority

    /// The layer of the packet, from 1.
    var layer: Int

    /// The number of the packet in its layer, unwrapped.
    var number: Int64
    var timestamp: UInt32
    var bytes: Int
  }

  private var packets: [Packet] = []

  /// The total size of the waiting packets, in bytes.
  private(set) var bytes = 0

  var isEmpty: Bool { packets.isEmpty }

  var count: Int { packets.count }

  mutating func append(_ packet: Packet) {
    packets.append(packet)
    bytes += packet.bytes
  }

  /// The next packet to send: the oldest packet with the highest priority.
  var next: Packet? { nextIndex.map { packets[$0] } }

  private var nextIndex: Int? {
    packets.indices.max {
      packets[$0].priority < packets[$1].priority
        || packets[$0].priority == packets[$1].priority && $0 > $1
    }
  }

  mutating func removeNext() {
    guard let index = nextIndex else { return }
    bytes -= packets.remove(at: index).bytes
  }

  /// The forwarder whose packets the router drops first: the forwarder with the lowest priority.
  /// Among forwarders of equal priority, this is the forwarder with the most waiting bytes.
  var first: Int? {
    guard let lowest = packets.map(\.priority).min() else { return nil }
    var sums: [Int: Int] = [:]
    for packet in packets where packet.priority == lowest {
      sums[packet.forwarder, default: 0] += packet.bytes
    }
    return sums.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// Drops all packets of a forwarder, except the packets of one frame.
  ///
  /// - Parameter frame: The timestamp of a partly sent frame, whose other packets must follow.
  /// - Returns: The number of remaining packets.
  mutating func removeAll(of forwarder: Int, butOf frame: UInt32?) -> Int {
    var kept = 0
    packets.removeAll { packet in
      guard packet.forwarder == forwarder else { return false }
      guard packet.timestamp != frame else {
        kept += 1
        return false
      }
      bytes -= packet.bytes
      return true
    }
    return kept
  }
}
