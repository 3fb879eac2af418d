import LongComputation
import Opus
import RTP
import Testing

@testable import Media

@Suite(.longComputation) struct AudioTalkerTests {
  @Test func `speech for transcription has a start, an end and samples at 16 kHz`() throws {
    let room = AudioRoom()
    room.wantsTalks = true
    try room.add(1, .tone(440))
    room.setSending(1, false)
    try room.run(50)
    room.setSending(1, true)
    try room.run(50)
    let talk = try #require(room.talks[1])
    #expect(talk.start == MonotonicTime(microseconds: 50 * 20_000))
    #expect((46 * 320...50 * 320).contains(talk.samples.count))
    #expect(talk.ends == 0)
    let crossings = zip(talk.samples, talk.samples.dropFirst()).filter { $0 < 0 && $1 >= 0 }
    let seconds = Double(talk.samples.count) / 16_000
    #expect(abs(Double(crossings.count) / seconds - 440) < 10)
    room.setSending(1, false)
    try room.run(50)
    #expect(room.talks[1]?.ends == 1)
  }

  @Test func `a mute ends the muted talker's speech for transcription`() throws {
    let room = AudioRoom()
    room.wantsTalks = true
    try room.add(1, .tone(440))
    try room.run(50)
    room.audio.setMayBeHeard(SessionSlot(1), false)
    let before = room.talks[1]?.samples.count
    try room.run(1)
    #expect(room.talks[1]?.ends == 1)
    #expect(room.talks[1]?.samples.count == before)
  }

  @Test func `each talker has a separate stream of samples`() throws {
    let room = AudioRoom()
    room.wantsTalks = true
    try room.add(1, .tone(440))
    try room.add(2, .tone(1_000))
    try room.run(100)
    for (key, frequency) in [(1, 440.0), (2, 1_000)] {
      let samples = room.talks[key]?.samples.suffix(16_000) ?? []
      // The functions assume 48 kHz and these samples have 16 kHz, so the test multiplies the
      // frequencies by three.
      #expect(AudioMeasure.amplitude(of: frequency * 3, in: samples) > 4_000)
      #expect(AudioMeasure.amplitude(of: (1_440 - frequency) * 3, in: samples) < 200)
    }
  }

  @Test func `transcription gets the speech of every speaker, even of a speaker outside the mix`()
    throws
  {
    let room = AudioRoom()
    room.wantsTalks = true
    let keys = 1...AudioMixSettings().maxSpeakers + 3
    for key in keys { try room.add(key, .tone(300 + 100 * Double(key))) }
    try room.run(100)
    for key in keys { #expect((room.talks[key]?.samples.count ?? 0) > 90 * 320) }
  }

  @Test func `speech for transcription includes the soft start of a word`() throws {
    let room = AudioRoom()
    room.wantsTalks = true
    // The tone has a level of about −63 dBov for a second, and then of −20 dBov.
    try room.add(1, .tone(440, amplitude: 30) + AudioSignal.tone(440).inOddSeconds)
    try room.run(100)
    let talk = try #require(room.talks[1])
    let loud = try #require(talk.samples.firstIndex { $0.magnitude > 1_000 })
    #expect((14 * 320...16 * 320).contains(loud))
    let start = Double(try #require(talk.start).microseconds) / 1_000_000
    #expect((0.65...0.8).contains(start))
  }

  @Test func `transcription gets only speech that follows the request for speech`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.run(50)
    room.wantsTalks = true
    try room.run(50)
    #expect((49 * 320...50 * 320).contains(room.talks[1]?.samples.count ?? 0))
    room.wantsTalks = false
    try room.run(50)
    room.wantsTalks = true
    try room.run(50)
    #expect((98 * 320...100 * 320).contains(room.talks[1]?.samples.count ?? 0))
  }

  @Test func `Voice Focus removes the noise of a fan and keeps the voice`() throws {
    func hear(isFocused: Bool) throws -> [Int16] {
      let room = AudioRoom()
      var settings = OpusSettings()
      settings.bitrate = 64_000
      try room.add(
        1, AudioSignal.voice().inOddSeconds + .fan(amplitude: 4_000), settings: settings)
      try room.add(2)
      room.audio.setVoiceFocus(SessionSlot(1), isFocused)
      try room.run(300)
      return room.ears[2]?.samples ?? []
    }
    let noisy = try hear(isFocused: false)
    let focused = try hear(isFocused: true)
    // Every other second contains only the noise of the fan. By the fifth second, the suppressor
    // has learnt this noise.
    let pause = 48_000 * 4 + 14_400..<48_000 * 5 - 9_600
    #expect(AudioMeasure.ratio(noisy[pause], focused[pause]) > 8)
    let speech = 48_000 * 5 + 4_800..<48_000 * 6 - 4_800
    #expect(abs(AudioMeasure.ratio(noisy[speech], focused[speech])) < 3)
    let clean = AudioSignal.voice().samples(48_000 * 5..<48_000 * 6)
    let heard = Array(focused[(48_000 * 5)...])
    #expect(AudioMeasure.correlation(clean, heard, maxDelay: 6_000) > 0.9)
  }
}
