/// The power of one participant's last five frames.
///
/// The mean of these powers is the participant's present loudness.
struct RecentPower {
  private var powers = InlineArray<5, Float>(repeating: 1)
  private var decodedPowers = InlineArray<5, Float>(repeating: 1)
  private var next = 0

  /// The loudness of the last 100 ms.
  private(set) var mean = Loudness.silence

  /// A lower bound of the loudness of the last 100 ms. It takes only decoded frames into account.
  var decodedMean: Loudness { Self.mean(of: decodedPowers) }

  /// Adds the frame of a tick, and drops the oldest frame.
  ///
  /// - Parameters:
  ///   - loudness: The loudness of the frame: a measured loudness, or the loudness that the frame's
  ///     packet claims.
  ///   - decoded: The loudness of the decoded frame; silence for a frame that the decoder did not
  ///     decode.
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
