/// What a bad network does to packets: the same for the same seed.
struct Impairment: RandomNumberGenerator {
  /// What becomes of one packet: after how long each of its copies arrives.
  typealias Fate = [Duration]

  var loss = 0.0
  var duplicates = 0.0
  /// Packets that are held back so that others overtake them.
  var reordered = 0.0
  var jitter = Duration.zero
  private var state: UInt64
  private(set) var seen = 0
  private(set) var lost = 0

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private mutating func happens(_ share: Double) -> Bool {
    var numbers = self
    defer { self = numbers }
    return Double.random(in: 0..<1, using: &numbers) < share
  }

  mutating func fate() -> Fate {
    seen += 1
    guard !happens(loss) else {
      lost += 1
      return []
    }
    var delay = Duration.zero
    if jitter > .zero {
      var numbers = self
      delay = jitter * Double.random(in: 0..<1, using: &numbers)
      self = numbers
    }
    if happens(reordered) { delay += .milliseconds(15) }
    return happens(duplicates) ? [delay, delay] : [delay]
  }
}
