import Testing

@testable import Media

struct VoiceLevelTests {
  private let loud = Loudness(attenuation: 20)

  @Test func `frames made up behind a word are no overstatement`() {
    var level = VoiceLevel()
    for _ in 0..<10 { decode(&level, label: loud, frame: loud) }
    for _ in 0..<5 {
      level.beginTick(after: 1)
      level.conceal()
      level.measure(.silence)
    }
    level.beginTick(after: 100)
    level.takePacket(loud)
    #expect(level.believedHint == loud)
  }

  @Test func `a word that begins within a packet is no overstatement`() {
    var level = VoiceLevel()
    for _ in 0..<10 { decode(&level, label: .silence, frame: .silence) }
    // Most of its sound is in the next frame, as the codec has it.
    decode(&level, label: loud, frame: Loudness(attenuation: 60))
    for _ in 0..<5 { decode(&level, label: loud, frame: loud) }
    level.takePacket(loud)
    #expect(level.believedHint == loud)
  }

  @Test func `frames behind a gap that are too quiet are no overstatement`() {
    var level = VoiceLevel()
    skip(&level) { $0.takePacket(loud) }
    for _ in 0..<5 { decode(&level, label: loud, frame: Loudness(attenuation: 60)) }
    #expect(level.mean.decibels > loud.decibels - 2 && !level.isTrusted)
    decode(&level, label: loud, frame: loud)
    #expect(level.isTrusted && level.believedHint == loud)
  }

  @Test func `who overstates its level is believed less, and forgiven while it is silent`() {
    var level = VoiceLevel()
    for _ in 0..<20 { decode(&level, label: loud, frame: Loudness(attenuation: 60)) }
    #expect(!level.isTrusted)
    level.takePacket(loud)
    let believed = level.believedHint ?? .silence
    #expect(believed < Loudness(attenuation: 55))
    level.beginTick(after: 2_000)
    level.takePacket(loud)
    #expect((level.believedHint ?? .silence) > Loudness(attenuation: 21))
  }

  @Test func `a lost packet makes nobody quieter, three make everybody silent`() {
    var level = VoiceLevel()
    for _ in 0..<5 { skip(&level) { $0.takePacket(loud) } }
    for _ in 0..<2 { skip(&level) { $0.conceal() } }
    #expect(abs(level.mean.decibels - loud.decibels) < 0.1)
    skip(&level) { $0.conceal() }
    #expect(level.hint == .silence)
  }

  @Test func `frames behind a loss that are too quiet are no overstatement`() {
    var level = VoiceLevel()
    for _ in 0..<10 { decode(&level, label: loud, frame: loud) }
    lose(&level)
    for _ in 0..<5 { decode(&level, label: loud, frame: Loudness(attenuation: 60)) }
    #expect(level.isTrusted && level.believedHint == loud)
    #expect(abs(level.mean.decibels - loud.decibels) < 0.1)
  }

  @Test func `frames behind skipped ones that are too loud make nobody louder`() {
    var level = VoiceLevel()
    for _ in 0..<5 { skip(&level) { $0.takePacket(Loudness(attenuation: 46)) } }
    for _ in 0..<5 { decode(&level, label: Loudness(attenuation: 46), frame: loud) }
    #expect(abs(level.mean.decibels - 81) < 0.1)
  }

  @Test func `losses hide for 500 ms at most that somebody overstates its level`() {
    var level = VoiceLevel()
    for _ in 0..<10 { decode(&level, label: loud, frame: loud) }
    for _ in 0..<6 {
      lose(&level)
      for _ in 0..<5 { decode(&level, label: loud, frame: Loudness(attenuation: 60)) }
    }
    #expect(!level.isTrusted && level.mean.decibels < 70)
  }

  @Test func `a loud sound needs no proof that its packets say what is true`() {
    var level = VoiceLevel()
    let label = Loudness(attenuation: 10)
    for _ in 0..<4 { decode(&level, label: label, frame: loud) }
    #expect(!level.isTrusted && level.isProven(above: Loudness(attenuation: 25)))
    #expect(!level.isProven(above: Loudness(attenuation: 19)))
  }

  @Test func `whose first frames are as loud as it says is trusted at once`() {
    var level = VoiceLevel()
    for _ in 0..<2 { decode(&level, label: loud, frame: loud) }
    #expect(level.isTrusted)
  }

  @Test func `a sound that is skipped proves nothing`() {
    var level = VoiceLevel()
    for _ in 0..<5 { skip(&level) { $0.takePacket(loud) } }
    #expect(level.mean.decibels > 100 && !level.isProven(above: Loudness(attenuation: 55)))
  }

  @Test func `the mean of 100 ms is that of the power`() {
    var level = VoiceLevel()
    for _ in 0..<4 { decode(&level, label: nil, frame: .silence) }
    decode(&level, label: nil, frame: loud)
    #expect(abs(level.mean.decibels - (loud.decibels - 7)) < 0.1)
    #expect(level.measuredTicks == 5)
    for _ in 0..<4 { decode(&level, label: nil, frame: loud) }
    #expect(abs(level.mean.decibels - loud.decibels) < 0.1)
  }

  private func decode(_ level: inout VoiceLevel, label: Loudness?, frame: Loudness) {
    level.beginTick(after: 1)
    level.takePacket(label)
    level.measure(frame)
  }

  private func lose(_ level: inout VoiceLevel) {
    level.beginTick(after: 1)
    level.conceal()
    level.measure(loud)
  }

  private func skip(_ level: inout VoiceLevel, _ body: (inout VoiceLevel) -> Void) {
    level.beginTick(after: 1)
    body(&level)
    level.skip()
  }
}
