import LongComputation
import MeetingModel
import Opus
import RTP
import Testing

@testable import Media

@Suite(.longComputation) struct AudioRightsTests {
  @Test func `a mute takes effect in the next tick`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2)
    try room.run(50)
    #expect(AudioMeasure.power(room.heard(2, last: 5)) > 1_000_000)
    room.audio.setMayBeHeard(SessionSlot(1), false)
    try room.run(10)
    let heard = room.heard(2, last: 10)
    // The first 20 ms contain the fade of 5 ms and the encoder's delay of 6.5 ms. Silence follows,
    // although packets continue to arrive.
    #expect(AudioMeasure.power(heard.dropFirst(960)) < 100)
    #expect(room.statistics(1)?.volume == .muted)
    #expect(room.statistics(1)?.isTalking == false)
    #expect(room.statistics(1)?.lost == 0)
    #expect(room.statistics(1)?.depthUs == 0)

    room.audio.setMayBeHeard(SessionSlot(1), true)
    try room.run(20)
    #expect(AudioMeasure.power(room.heard(2, last: 5)) > 1_000_000)
    #expect(room.statistics(1)?.lost == 0)
  }

  @Test func `the next tick contains the voice of a speaker who was just promoted`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2)
    room.setWatching(1, true)
    try room.run(120)
    #expect(AudioMeasure.power(room.heard(2, last: 120)) < 1)
    room.setWatching(1, false)
    try room.run(1)
    #expect(AudioMeasure.power(room.heard(2, last: 1)) > 100_000)
    try room.run(50)
    #expect(AudioMeasure.power(room.heard(2, last: 45)) > 1_000_000)
    #expect(room.statistics(1)?.concealed == 0)
    #expect(room.statistics(1)?.lost == 0)
  }

  @Test func `speech from long before a promotion is not heard after the promotion`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2)
    room.setWatching(1, true)
    try room.run(120)
    room.setSending(1, false)
    try room.run(3)
    room.setWatching(1, false)
    try room.run(10)
    #expect(AudioMeasure.power(room.heard(2, last: 130)) < 1)
  }

  @Test func `speech from before a mute is not heard after a promotion`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2)
    room.setWatching(1, true)
    try room.run(120)
    room.setSending(1, false)
    room.audio.setMayBeHeard(SessionSlot(1), false)
    room.setWatching(1, false)
    try room.run(10)
    #expect(AudioMeasure.power(room.heard(2, last: 130)) < 1)
  }

  @Test func `speech from before a mute is not heard after the unmute`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2)
    try room.run(50)
    room.audio.setMayBeHeard(SessionSlot(1), false)
    room.audio.setMayBeHeard(SessionSlot(1), true)
    room.setSending(1, false)
    try room.run(10)
    #expect(AudioMeasure.power(room.heard(2, last: 8)) < 100)
  }

  @Test func `an interruption of the mixer ends the mix without a fade, and the mix resumes later`()
    throws
  {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2, .tone(880))
    try room.add(3)
    try room.run(50)
    room.audio.interrupt()
    for key in [1, 2] { room.audio.setMayBeHeard(SessionSlot(key), false) }
    let packets = room.ears.values.map(\.packets.count)
    try room.run(10)
    #expect(room.ears.values.map(\.packets.count) == packets)
    room.audio.setMayBeHeard(SessionSlot(1), true)
    try room.run(20)
    #expect(AudioMeasure.power(room.heard(2, last: 5)) > 1_000_000)
    #expect(AudioMeasure.power(room.heard(3, last: 5)) > 1_000_000)
    room.audio.interrupt()
    try room.run(20)
    #expect(AudioMeasure.power(room.heard(3, last: 5)) > 1_000_000)
  }

  @Test func `a removed attendee is not heard, and another attendee can reuse that attendee's key`()
    throws
  {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2)
    try room.run(50)
    room.audio.remove(SessionSlot(1))
    try room.run(10)
    #expect(AudioMeasure.power(room.heard(2, last: 8)) < 100)
    #expect(room.statistics(1) == nil)
    try room.add(1, .tone(880))
    try room.run(30)
    #expect(AudioMeasure.amplitude(of: 880, in: room.heard(2, last: 10)) > 4_000)
  }

  @Test func `a speaker that falsely claims to be loud is not preferred`() throws {
    let room = AudioRoom { $0.maxSpeakers = 1 }
    try room.add(1, .tone(440, amplitude: 4_000))
    for key in 2...6 { try room.add(key, .tone(1_000, amplitude: 400), level: { _ in 0 }) }
    try room.add(7)
    room.setSending(2, true)
    try room.run(200)
    #expect(room.statistics(1)?.isTalking == true)
    #expect(AudioMeasure.amplitude(of: 1_000, in: room.heard(7, last: 100)) < 50)
    // Media decodes the streams that falsely claim to be loud less and less often.
    let before = room.audio.counters.decodes
    try room.run(100)
    #expect(room.audio.counters.decodes - before < 160)
  }

  @Test func `packets that claim to be quiet are not decoded`() throws {
    let room = AudioRoom()
    for key in 1...10 { try room.add(key, .tone(440), level: { _ in 90 }) }
    try room.run(50)
    #expect(room.audio.counters.decodes == 0)
    #expect(room.audio.counters.skips > 400)
    #expect(room.audio.speakerCount == 0)
  }

  @Test(arguments: [(54, true), (55, true), (56, false), (127, false)] as [(UInt8, Bool)])
  func `a claimed level below −55 dBov is believed, even if nobody speaks`(
    label: UInt8, isHeard: Bool
  ) throws {
    let room = AudioRoom()
    try room.add(1, .tone(440), level: { _ in label })
    try room.add(2)
    try room.run(30)
    #expect((AudioMeasure.power(room.heard(2, last: 5)) > 1_000_000) == isHeard)
  }

  @Test func `a speaker without audio levels is decoded and heard`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440), level: { _ in nil })
    try room.add(2)
    try room.run(30)
    #expect(AudioMeasure.power(room.heard(2, last: 5)) > 1_000_000)
  }

  @Test(arguments: [
    (0.0, VolumeLevel.notSpeaking), (300, .low), (1_500, .medium), (8_000, .high),
  ])
  func `the statistics contain the measured volume of a voice`(
    amplitude: Double, volume: VolumeLevel
  ) throws {
    let room = AudioRoom()
    try room.add(1, .tone(440, amplitude: amplitude))
    try room.run(60)
    #expect(room.statistics(1)?.volume == volume)
  }

  @Test func `the mixer conceals and counts lost packets and leaves no gap`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440), arrives: { $0 < 10 || $0 % 20 != 7 })
    try room.add(2)
    try room.run(420)
    let statistics = try #require(room.statistics(1))
    #expect((19...21).contains(statistics.lost))
    #expect((19...21).contains(statistics.concealed))
    let heard = room.heard(2, last: 400)
    for start in stride(from: 0, to: heard.count, by: 960) {
      #expect(AudioMeasure.power(heard[start..<start + 960]) > 2_000_000)
    }
  }

  @Test func `the decoder rebuilds a lost packet from the copy in the next packet`() throws {
    let room = AudioRoom()
    var settings = OpusSettings()
    settings.maxBandwidth = .wide
    settings.hasRedundancy = true
    settings.expectedLoss = 30
    try room.add(1, .voice(), settings: settings, arrives: { $0 < 10 || $0 % 10 != 7 })
    try room.add(2)
    try room.run(210)
    let statistics = try #require(room.statistics(1))
    #expect((19...21).contains(statistics.lost))
    #expect(statistics.recovered > 5)
    #expect(statistics.recovered + statistics.concealed == statistics.lost)
  }

  @Test func `the mixer refuses packets that are not Opus, and other attendees are still heard`()
    throws
  {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2)
    var state: UInt64 = 99
    func random() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
    var sequence: UInt16 = 0
    audioGarbage(room, key: 9, sequence: &sequence, random)
    room.audio.add(SessionSlot(3), listens: true, mode: .stereo48K)
    try room.run(400) {
      for _ in 0..<2 { audioGarbage(room, key: 3, sequence: &sequence, random) }
    }
    #expect((room.statistics(3)?.refused ?? 0) > 0)
    #expect(room.statistics(3)?.packets == 800)
    #expect(room.statistics(1)?.lost == 0)
    #expect(AudioMeasure.power(room.heard(2, last: 5)) > 0)
  }

  private func audioGarbage(
    _ room: AudioRoom, key: Int, sequence: inout UInt16, _ random: () -> UInt8
  ) {
    let bytes = (0..<Int(random())).map { _ in random() }
    sequence &+= random() < 10 ? UInt16(random()) : 1
    room.audio.receive(
      SessionSlot(key), sequence: SequenceNumber(sequence),
      timestamp: UInt32(sequence) &* (random() < 10 ? 7 : 960),
      level: random() < 128 ? AudioLevel(attenuation: random() & 0x7f, isSpeech: true) : nil,
      payload: bytes.span, arrival: MonotonicTime(microseconds: Int64(room.tick) * 20_000))
  }
}
