import MeetingModel

/// Packets of publishers that wait until the link of one receiver has room.
///
/// What waits is where it is anyway, in the cache of its layer: here is only which packet of which
/// layer, and it gets its numbers for the receiver when it leaves. So what is left out leaves no
/// gap.
struct WaitingVideo: Sendable {
  struct Packet: Hashable, Sendable {
    /// Whose it is.
    var forwarder: Int
    var priority: VideoPriority

    /// The layer, from 1, and the number of the packet in it, unwrapped.
    var layer: Int
    var number: Int64
    var timestamp: UInt32
    var bytes: Int
  }

  private var packets: [Packet] = []

  /// Bytes that wait.
  private(set) var bytes = 0

  var isEmpty: Bool { packets.isEmpty }

  var count: Int { packets.count }

  mutating func append(_ packet: Packet) {
    packets.append(packet)
    bytes += packet.bytes
  }

  /// The next one: the oldest of the highest priority.
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

  /// Whose packets are left out first: of the lowest priority, and of these who has most waiting.
  var first: Int? {
    guard let lowest = packets.map(\.priority).min() else { return nil }
    var sums: [Int: Int] = [:]
    for packet in packets where packet.priority == lowest {
      sums[packet.forwarder, default: 0] += packet.bytes
    }
    return sums.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// Leaves out all packets of a forwarder, but for those of a frame.
  ///
  /// - Parameter frame: A frame of which some packets have left; the rest must follow.
  /// - Returns: How many packets stay.
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
