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

  private func skip(_ level: inout VoiceLevel, _ body: (inout VoiceLevel) -> Void) {
    level.beginTick(after: 1)
    body(&level)
    level.skip()
  }
}
