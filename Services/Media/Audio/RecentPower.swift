/// The power of one participant's last frames. Their mean says how loud it is at the moment.
struct RecentPower {
  private var powers = InlineArray<5, Float>(repeating: 1)
  private var next = 0

  /// How loud the last 100 ms were.
  private(set) var mean = Loudness.silence

  /// Takes the frame of a tick, and drops the oldest one.
  mutating func append(_ loudness: Loudness) {
    powers[next] = loudness.power
    next = (next + 1) % powers.count
    var sum: Float = 0
    for index in powers.indices { sum += powers[index] }
    mean = Loudness(power: sum / Float(powers.count))
  }
}
