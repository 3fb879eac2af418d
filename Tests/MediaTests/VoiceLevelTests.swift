import Testing

@testable import Media

struct VoiceLevelTests {
  private let loud = Loudness(attenuation: 20)

  @Test func `concealed frames after a word do not prove that a level is overstated`() {
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

  @Test func `a word that starts within a packet does not prove that the level is overstated`() {
    var level = VoiceLevel()
    for _ in 0..<10 { decode(&level, label: .silence, frame: .silence) }
    // Because of the codec's delay, most of the sound is in the next frame.
    decode(&level, label: loud, frame: Loudness(attenuation: 60))
    for _ in 0..<5 { decode(&level, label: loud, frame: loud) }
    level.takePacket(loud)
    #expect(level.believedHint == loud)
  }

  @Test func `quiet frames after a gap do not prove that a level is overstated`() {
    var level = VoiceLevel()
    skip(&level) { $0.takePacket(loud) }
    for _ in 0..<5 { decode(&level, label: loud, frame: Loudness(attenuation: 60)) }
    #expect(level.mean.decibels > loud.decibels - 2 && !level.isTrusted)
    decode(&level, label: loud, frame: loud)
    #expect(level.isTrusted && level.believedHint == loud)
  }

  @Test func `media stops trusting a speaker's overstated levels until the speaker is silent`() {
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

  @Test
  func `one lost packet does not lower a level, and three lost packets reset the level to silence`()
  {
    var level = VoiceLevel()
    for _ in 0..<5 { skip(&level) { $0.takePacket(loud) } }
    for _ in 0..<2 { skip(&level) { $0.conceal() } }
    #expect(abs(level.mean.decibels - loud.decibels) < 0.1)
    skip(&level) { $0.conceal() }
    #expect(level.hint == .silence)
  }

  @Test func `quiet frames after a loss do not prove that a level is overstated`() {
    var level = VoiceLevel()
    for _ in 0..<10 { decode(&level, label: loud, frame: loud) }
    lose(&level)
    for _ in 0..<5 { decode(&level, label: loud, frame: Loudness(attenuation: 60)) }
    #expect(level.isTrusted && level.believedHint == loud)
    #expect(abs(level.mean.decibels - loud.decibels) < 0.1)
  }

  @Test func `loud frames after skipped packets do not raise the level`() {
    var level = VoiceLevel()
    for _ in 0..<5 { skip(&level) { $0.takePacket(Loudness(attenuation: 46)) } }
    for _ in 0..<5 { decode(&level, label: Loudness(attenuation: 46), frame: loud) }
    #expect(abs(level.mean.decibels - 81) < 0.1)
  }

  @Test func `losses hide an overstated level for 500 ms at most`() {
    var level = VoiceLevel()
    for _ in 0..<10 { decode(&level, label: loud, frame: loud) }
    for _ in 0..<6 {
      lose(&level)
      for _ in 0..<5 { decode(&level, label: loud, frame: Loudness(attenuation: 60)) }
    }
    #expect(!level.isTrusted && level.mean.decibels < 70)
  }

  @Test func `decoded loud sound proves a level even if media does not trust the claimed level`() {
    var level = VoiceLevel()
    let label = Loudness(attenuation: 10)
    for _ in 0..<4 { decode(&level, label: label, frame: loud) }
    #expect(!level.isTrusted && level.isProven(above: Loudness(attenuation: 25)))
    #expect(!level.isProven(above: Loudness(attenuation: 19)))
  }

  @Test func `a speaker whose first frames match the claimed level is trusted immediately`() {
    var level = VoiceLevel()
    for _ in 0..<2 { decode(&level, label: loud, frame: loud) }
    #expect(level.isTrusted)
  }

  @Test func `packets that were not decoded do not prove a level`() {
    var level = VoiceLevel()
    for _ in 0..<5 { skip(&level) { $0.takePacket(loud) } }
    #expect(level.mean.decibels > 100 && !level.isProven(above: Loudness(attenuation: 55)))
  }

  @Test func `the mean level over 100 ms is computed from the mean power`() {
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
