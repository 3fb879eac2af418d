/// What a bad network does to the packets of one stream: the same for the same seed.
public struct Impairment: Sendable {
  /// What becomes of one packet: after how long each of its copies arrives.
  public typealias Fate = [Duration]

  /// The share of packets that are lost, 0-1; and so on.
  public var loss = 0.0
  public var duplicates = 0.0
  /// Packets that are held back by 15 ms, so that others overtake them.
  public var reordered = 0.0
  /// The longest of the delays that packets get at random.
  public var jitter = Duration.zero
  /// Whether a packet that was lost is lost again whenever it is repeated.
  public var losesRepeats = false

  public private(set) var seen = 0
  public private(set) var lost = 0
  private let seed: UInt64
  private var numbers: SeededGenerator

  public init(seed: UInt64) {
    self.seed = seed
    numbers = SeededGenerator(seed: seed)
  }

  /// The same for another stream, with other chances.
  public func other(_ number: UInt64) -> Impairment {
    var other = self
    other.numbers = SeededGenerator(seed: seed ^ number &* 0x9e37_79b9_7f4a_7c15)
    return other
  }

  public mutating func fate() -> Fate {
    seen += 1
    // Each takes its number whatever becomes of it: so no packet's fate hangs on another's.
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
