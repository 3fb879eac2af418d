/// Limits the sum of several voices without clicks.
///
/// All mixes of a meeting share one gain, which depends on the peak of the common mix. The gain
/// falls within 5 ms, and rises over about a second. If a sample is still too loud, a soft curve
/// limits the sample.
struct AudioLimiter {
  /// The magnitude up to which the soft curve leaves samples unchanged.
  static let knee: Float = 28_000
  private static let ceiling: Float = 32_767
  /// The rise of the gain per frame.
  private static let recovery: Float = 0.02
  /// The duration of a fall of the gain, in samples.
  private static let fallSamples = 240

  private var before: Float = 1
  private var gain: Float = 1
  private var isClean = true

  /// Chooses the gain of a frame.
  ///
  /// - Parameter peak: The peak of the sum of all voices.
  mutating func follow(peak: Int32) {
    let wanted = min(1, Self.knee / Float(max(peak, 1)))
    before = gain
    gain = wanted < gain ? wanted : min(wanted, gain + Self.recovery)
    isClean = before == 1 && gain == 1
  }

  /// Writes a mix.
  ///
  /// - Parameters:
  ///   - sum: The sum of all voices, interleaved.
  ///   - own: The listener's own sound, which the mix omits: in one channel, or in as many channels
  ///     as the sum; `nil` if the listener has none.
  ///   - other: A second sound that the mix omits, in the same form; `nil` if there is none.
  func write(
    _ sum: [Int32], without own: [Int16]?, _ other: [Int16]? = nil, channels: Int,
    to mix: inout [Int16]
  ) {
    let sum = sum.span
    var mix = mix.mutableSpan
    // There are one or two channels, and a shift for each sample is cheaper than a division.
    let shift = channels - 1
    guard let own else {
      for index in mix.indices { mix[index] = limited(sum[index], at: index >> shift) }
      return
    }
    let voice = own.span
    let voiceShift = voice.count == sum.count ? 0 : shift
    guard let other else {
      for index in mix.indices {
        let others = sum[index] &- Int32(voice[index >> voiceShift])
        mix[index] = limited(others, at: index >> shift)
      }
      return
    }
    let second = other.span
    let secondShift = second.count == sum.count ? 0 : shift
    for index in mix.indices {
      let own = Int32(voice[index >> voiceShift]) &+ Int32(second[index >> secondShift])
      mix[index] = limited(sum[index] &- own, at: index >> shift)
    }
  }

  private func limited(_ sample: Int32, at index: Int) -> Int16 {
    if isClean, sample.magnitude <= UInt32(Self.knee) { return Int16(truncatingIfNeeded: sample) }
    let share =
      gain < before
      ? min(1, Float(index) / Float(Self.fallSamples))
      : Float(index) / Float(VoiceDecoder.frameSize)
    return Self.bend(Float(sample) * (before + (gain - before) * share))
  }

  /// Limits a sample with a soft curve.
  ///
  /// The curve is straight up to ``knee``. Above ``knee``, the curve becomes flatter toward full
  /// scale, without a corner.
  private static func bend(_ sample: Float) -> Int16 {
    let magnitude = abs(sample)
    guard magnitude > knee else { return Int16(sample) }
    let room = ceiling - knee
    let above = magnitude - knee
    let bent = knee + room * above / (above + room)
    return Int16(sample < 0 ? -bent : bent)
  }
}
