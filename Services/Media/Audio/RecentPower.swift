/// The power of one participant's last frames. Their mean says how loud it is at the moment.
struct RecentPower {
  private var powers = InlineArray<5, Float>(repeating: 1)
  private var decodedPowers = InlineArray<5, Float>(repeating: 1)
  private var next = 0

  /// How loud the last 100 ms were.
  private(set) var mean = Loudness.silence

  /// How loud the last 100 ms were at least, by what was decoded of them.
  var decodedMean: Loudness { Self.mean(of: decodedPowers) }

  /// Takes the frame of a tick, and drops the oldest one.
  ///
  /// - Parameters:
  ///   - loudness: How loud it is taken to be.
  ///   - decoded: How loud it was decoded; silence if it was not.
  mutating func append(_ loudness: Loudness, decoded: Loudness) {
    powers[next] = loudness.power
    decodedPowers[next] = decoded == loudness ? powers[next] : decoded.power
    next = (next + 1) % powers.count
    mean = Self.mean(of: powers)
  }

  private static func mean(of powers: InlineArray<5, Float>) -> Loudness {
    var sum: Float = 0
    for index in powers.indices { sum += powers[index] }
    return Loudness(power: sum / Float(powers.count))
  }
}
