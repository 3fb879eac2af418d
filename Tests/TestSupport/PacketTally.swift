/// What went by a ``PacketRelay`` of one payload type in one direction.
public struct PacketTally: Sendable {
  private var came: Set<UInt64> = []
  private var passed: Set<UInt64> = []

  /// When each packet was dropped that came for the first time.
  public private(set) var losses: [ContinuousClock.Instant] = []

  /// When each packet passed.
  public private(set) var passes: [ContinuousClock.Instant] = []

  /// When a key frame of VP8 began to pass, each time.
  public private(set) var keyFrames: [ContinuousClock.Instant] = []

  /// Packets that came once more, whatever became of them.
  public private(set) var repeats = 0

  /// Packets, each counted once.
  public var packets: Int { came.count }

  /// Those that were dropped when they came for the first time.
  public var lost: Int { losses.count }

  /// Those that never got through.
  public var lostForGood: Int { came.count - passed.count }

  /// Whether a packet came and did not get through.
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
