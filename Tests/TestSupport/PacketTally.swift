/// The packets of one payload type and one direction that a ``PacketRelay`` handled.
public struct PacketTally: Sendable {
  private var came: Set<UInt64> = []
  private var passed: Set<UInt64> = []

  /// The time of each drop of a packet at its first transmission.
  public private(set) var losses: [ContinuousClock.Instant] = []

  /// The time at which each packet passed.
  public private(set) var passes: [ContinuousClock.Instant] = []

  /// The time at which the first packet of each VP8 key frame passed.
  public private(set) var keyFrames: [ContinuousClock.Instant] = []

  /// The number of retransmitted packets, passed or dropped.
  public private(set) var repeats = 0

  /// The number of different packets.
  public var packets: Int { came.count }

  /// The number of packets that the relay dropped at their first transmission.
  public var lost: Int { losses.count }

  /// The number of packets that never passed.
  public var lostForGood: Int { came.count - passed.count }

  /// Returns whether a packet arrived but never passed.
  func isLost(_ packet: UInt64) -> Bool { came.contains(packet) && !passed.contains(packet) }

  mutating func note(_ packet: UInt64, isDropped: Bool, startsKeyFrame: Bool) {
    if !isDropped {
      passed.insert(packet)
      let now = ContinuousClock.now
      passes.append(now)
      if startsKeyFrame { keyFrames.append(now) }
    }
    guard came.insert(packet).inserted else { return repeats += 1 }
    if isDropped { losses.append(.now) }
  }
}
