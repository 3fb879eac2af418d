/// The impairments of a bad network for the packets of one stream. The same seed gives the same
/// impairments.
public struct Impairment: Sendable {
  /// The delays of those copies of one packet that arrive; empty if the relay drops the packet.
  public typealias Fate = [Duration]

  /// The share of packets that the relay drops, 0-1.
  public var loss = 0.0
  /// The share of packets that arrive twice, 0-1.
  public var duplicates = 0.0
  /// The share of packets that the relay delays by 15 ms, so that other packets overtake these
  /// packets, 0-1.
  public var reordered = 0.0
  /// The maximum of the random delay of each packet.
  public var jitter = Duration.zero
  /// Whether the relay also drops retransmissions of a lost packet.
  public var losesRepeats = false

  public private(set) var seen = 0
  public private(set) var lost = 0
  private let seed: UInt64
  private var numbers: SeededGenerator

  public init(seed: UInt64) {
    self.seed = seed
    numbers = SeededGenerator(seed: seed)
  }

  /// Returns the same impairment for another stream, with other random numbers.
  public func other(_ number: UInt64) -> Impairment {
    var other = self
    other.numbers = SeededGenerator(seed: seed ^ number &* 0x9e37_79b9_7f4a_7c15)
    return other
  }

  public mutating func fate() -> Fate {
    seen += 1
    // The simulation draws the same number of random numbers for every packet, so the fate of a
    // packet does not depend on the fate of earlier packets.
    let (isLost, delay) = (happens(loss), jitter * share())
    let (isHeld, isTwofold) = (happens(reordered), happens(duplicates))
    guard !isLost else {
      lost += 1
      return []
    }
    let total = delay + (isHeld ? .milliseconds(15) : .zero)
    return isTwofold ? [total, total] : [total]
  }

  private mutating func happens(_ chance: Double) -> Bool { share() < chance }

  private mutating func share() -> Double { Double.random(in: 0..<1, using: &numbers) }
}
