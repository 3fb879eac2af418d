/// How loud one participant is: as its packets say, and as was measured where they were decoded.
struct VoiceLevel {
  /// The loudness of this frame, as decoded.
  private(set) var frame = Loudness.silence

  /// Smoothed, as decoded without a gap; this alone gives or takes a seat.
  private(set) var measured = Loudness.silence

  /// How many ticks in a row it was decoded.
  private(set) var measuredTicks = 0

  /// Smoothed. Of those who are not decoded it is what they say, less what they overstate.
  private(set) var smoothed = Loudness.silence

  /// What the packet of this tick says of its level; `nil` if nothing.
  var hint: Loudness?

  /// How much its packets overstate its level, in dB, as far as was seen.
  private var overstatement: Float = 0

  /// What its packets say of its level, as far as they are believed.
  var believedHint: Loudness? {
    hint.map { Loudness(decibels: max(0, $0.decibels - overstatement)) }
  }

  /// A tick begins; nothing of it has been decoded yet. What was overstated is forgiven by and by.
  mutating func beginTick() {
    frame = .silence
    overstatement *= 0.995
  }

  /// There is nothing to play.
  mutating func fall() {
    smoothed.follow(.silence)
    measured.follow(.silence)
  }

  /// Believes the packet of this tick.
  mutating func followHint() {
    if let believedHint { smoothed.follow(believedHint) }
  }

  /// The packet of this tick is not decoded.
  mutating func skip() { measuredTicks = 0 }

  /// A frame was decoded, and is so loud.
  mutating func measure(_ loudness: Loudness) {
    frame = loudness
    if measuredTicks == 0 { measured = frame } else { measured.follow(frame) }
    measuredTicks += 1
    smoothed = measured
    if let hint {
      let excess = max(0, hint.decibels - frame.decibels)
      overstatement += (excess - overstatement) * (excess > overstatement ? 0.2 : 0.02)
    }
  }
}
