import LongComputation
import MeetingModel
import Opus
import RTP
import Testing

@testable import Media

@Suite(.longComputation) struct AudioMixTests {
  @Test func `the other attendees hear a speaker, and the speaker hears no echo`() throws {
    let room = AudioRoom()
    let voice = AudioSignal.voice()
    try room.add(1, voice)
    try room.add(2)
    try room.add(3, mode: .mono16K)
    try room.run(100)
    let original = voice.samples(0..<100 * 960)
    let second = room.ears[2]?.samples ?? []
    #expect(AudioMeasure.correlation(original, second, maxDelay: 5_000) > 0.9)
    let third = room.ears[3]?.samples ?? []
    #expect(AudioMeasure.correlation(original, third, maxDelay: 5_000) > 0.9)
    #expect(room.ears[1]?.packets.isEmpty == true)
  }

  @Test func `a listener hears two speakers, who hear only each other`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2, .tone(1_000))
    try room.add(3)
    try room.run(60)
    let third = room.heard(3, last: 20)
    #expect(AudioMeasure.amplitude(of: 440, in: third) > 4_000)
    #expect(AudioMeasure.amplitude(of: 1_000, in: third) > 4_000)
    let first = room.heard(1, last: 20)
    #expect(AudioMeasure.amplitude(of: 440, in: first) < 100)
    #expect(AudioMeasure.amplitude(of: 1_000, in: first) > 4_000)
    let second = room.heard(2, last: 20)
    #expect(AudioMeasure.amplitude(of: 440, in: second) > 4_000)
    #expect(AudioMeasure.amplitude(of: 1_000, in: second) < 100)
  }

  @Test func `the mix contains only the loudest speakers`() throws {
    let room = AudioRoom { $0.maxSpeakers = 3 }
    let frequencies = [300.0, 500, 700, 900, 1_100, 1_300]
    for (index, frequency) in frequencies.enumerated() {
      // Each tone is 6 dB quieter than the tone before it. The mixer adds the quietest tone first.
      try room.add(6 - index, .tone(frequency, amplitude: 8_000 / Double(1 << index)))
    }
    try room.add(7)
    try room.run(200)
    let heard = room.heard(7, last: 20)
    for frequency in frequencies.prefix(3) {
      #expect(AudioMeasure.amplitude(of: frequency, in: heard) > 1_000)
    }
    for frequency in frequencies.dropFirst(3) {
      #expect(AudioMeasure.amplitude(of: frequency, in: heard) < 100)
    }
    #expect((4...6).allSatisfy { room.statistics($0)?.isTalking == true })
    #expect((1...3).allSatisfy { room.statistics($0)?.isTalking == false })
  }

  @Test func `voices of about the same level do not alternate in the mix`() throws {
    let room = AudioRoom { $0.maxSpeakers = 1 }
    try room.add(1, .tone(440, amplitude: 6_000))
    try room.add(2, .tone(1_000, amplitude: 7_500))
    try room.run(10)
    var changes = 0
    var was = room.statistics(1)?.isTalking
    try room.run(300) {
      let now = room.statistics(1)?.isTalking
      if now != was { changes += 1 }
      was = now
    }
    #expect(changes == 0)
    #expect(room.audio.speakerCount == 1)
  }

  @Test func `a speaker's first loud packet adds the speaker to a mix that is not full`() throws {
    let room = AudioRoom()
    try room.add(1, .silence)
    try room.add(2)
    try room.run(20)
    #expect(room.audio.speakerCount == 0)
    room.setSignal(1, .tone(440))
    try room.run(5)
    #expect(room.audio.speakerCount == 1)
    #expect(AudioMeasure.power(room.heard(2, last: 1)) > 1_000_000)
  }

  @Test func `listeners hear no click when a speaker starts or stops`() throws {
    let room = AudioRoom { $0.maxSpeakers = 2 }
    try room.add(1, .tone(200, amplitude: 5_000))
    try room.add(2, .tone(210, amplitude: 9_000))
    try room.add(3, .tone(190, amplitude: 15_000))
    try room.add(4)
    room.setSending(2, false)
    room.setSending(3, false)
    try room.run(30)
    room.setSending(2, true)
    try room.run(40)
    // The third tone takes the place of the first tone in the mix.
    room.setSending(3, true)
    try room.run(60)
    #expect(room.statistics(1)?.isTalking == false)
    room.audio.setMayBeHeard(SessionSlot(3), false)
    try room.run(40)
    room.audio.remove(SessionSlot(2))
    try room.run(40)
    // From one sample to the next, two of the loudest tones together change by at most (9,000 +
    // 15,000) · 2π · 210 / 48,000.
    #expect(AudioMeasure.greatestStep(room.heard(4, last: 200)) < 24_000 * 2 * 210 * 4 / 48_000)
    #expect(AudioMeasure.amplitude(of: 200, in: room.heard(4, last: 10)) > 3_500)
  }

  @Test func `speakers hear no click when they start to speak`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(200, amplitude: 8_000))
    try room.add(2, .tone(300, amplitude: 8_000))
    room.setSending(2, false)
    try room.run(30)
    room.setSending(2, true)
    try room.run(30)
    room.setSending(2, false)
    try room.run(60)
    let heard = room.heard(2, last: 100)
    #expect(AudioMeasure.greatestStep(heard) < 8_000 * 2 * 200 * 4 / 48_000)
    // Each client hears the other client all the time, and never itself.
    for start in stride(from: 0, to: heard.count, by: 4_800) {
      let part = heard[start..<start + 4_800]
      #expect(AudioMeasure.amplitude(of: 200, in: part) > 6_000)
      #expect(AudioMeasure.amplitude(of: 300, in: part) < 400)
    }
  }

  @Test func `the mixer limits a sum that is too loud, and the sum does not wrap`() throws {
    let room = AudioRoom()
    for key in 1...4 { try room.add(key, .tone(200 + Double(key), amplitude: 20_000)) }
    try room.add(5)
    try room.run(100)
    let heard = room.heard(5, last: 50)
    #expect(AudioMeasure.power(heard) > 15_000 * 15_000 / 4)
    #expect(AudioMeasure.greatestStep(heard) < 5_000)
  }

  @Test func `packets of silence cause no decoding, no encoding and no sending`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2, .silence)
    try room.add(3)
    try room.run(30)
    room.setSending(1, false)
    try room.run(40)
    let before = room.audio.counters
    let packets = room.ears[3]?.packets.count
    // The talkers continue to send packets of silence.
    try room.run(50)
    #expect(room.audio.counters.encodes == before.encodes)
    #expect(room.audio.counters.decodes == before.decodes)
    #expect(room.ears[3]?.packets.count == packets)
    room.setSending(2, false)
    try room.run(100)
    #expect(room.audio.isIdle)
  }

  @Test func `all attendees who only listen share one encoding`() throws {
    let room = AudioRoom()
    for key in 1...2 { try room.add(key, .tone(Double(key) * 400)) }
    for key in 3...20 { try room.add(key) }
    try room.run(50)
    let before = room.audio.counters.encodes
    try room.run(10)
    #expect(room.audio.counters.encodes == before + 30)
    #expect(AudioMeasure.power(room.heard(20, last: 5)) > 1_000_000)
  }

  @Test func `timestamps advance during a pause, and the packet after the pause has a marker`()
    throws
  {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2)
    try room.run(30)
    room.setSending(1, false)
    try room.run(200)
    room.setSending(1, true)
    try room.run(20)
    let ear = try #require(room.ears[2])
    let steps = zip(ear.timestamps, ear.timestamps.dropFirst()).map { $1 &- $0 }
    #expect(steps.filter { $0 != 960 }.count == 1)
    #expect(steps.max().map { $0 > 150 * 960 && $0 % 960 == 0 } == true)
    #expect(ear.markers.filter { $0 }.count == 2)
    #expect(ear.markers.first == true)
  }

  @Test func `the timestamp counts the ticks that the mixer missed`() throws {
    let room = AudioRoom()
    try room.add(1)
    room.audio.tick(at: MonotonicTime(microseconds: 0)) { _, _, _, _ in }
    let first = room.audio.timestamp
    room.audio.tick(at: MonotonicTime(microseconds: 10_000_000)) { _, _, _, _ in }
    #expect(room.audio.timestamp &- first == 500 * 960)
  }

  @Test func `an attendee who loses the right to hear gets no more packets`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440))
    try room.add(2)
    try room.add(3, listens: false)
    try room.run(30)
    room.audio.setMayHear(SessionSlot(2), false)
    let packets = room.ears[2]?.packets.count
    try room.run(10)
    #expect(room.ears[2]?.packets.count == packets)
    #expect(room.ears[3]?.packets.isEmpty == true)
    room.audio.setMayHear(SessionSlot(2), true)
    try room.run(10)
    #expect(AudioMeasure.power(room.heard(2, last: 5)) > 1_000_000)
  }

  @Test func `a receiver that is limited to wide band gets no audio of a wider band`() throws {
    let room = AudioRoom()
    try room.add(1, .voice())
    try room.add(2, mode: .mono16K)
    try room.add(3, mode: .mono48K)
    try room.run(60)
    let narrow = try #require(room.ears[2])
    #expect(narrow.packets.allSatisfy { $0.bandwidth != .full && $0.bandwidth != .superWide })
    #expect(room.ears[3]?.packets.contains { $0.bandwidth == .full } == true)
  }

  @Test func `a receiver of stereo gets stereo while any attendee sends stereo`() throws {
    let room = AudioRoom()
    try room.add(1, .voice())
    try room.add(2, mode: .stereo48K)
    try room.add(3, mode: .mono48K)
    try room.run(40)
    #expect(room.ears[2]?.packets.allSatisfy { $0.channels == 1 } == true)
    var stereo = AudioSignal.tone(700)
    stereo.channels = 2
    var settings = OpusSettings()
    settings.bitrate = 96_000
    settings.application = .audio
    try room.add(4, stereo, mode: .stereo48K, settings: settings)
    try room.run(60)
    #expect(room.ears[2]?.packets.last?.channels == 2)
    #expect(room.ears[3]?.packets.allSatisfy { $0.channels == 1 } == true)
    #expect(AudioMeasure.amplitude(of: 700, in: room.heard(2, last: 10)) > 3_000)
    #expect(AudioMeasure.amplitude(of: 700, in: room.heard(3, last: 10)) > 3_000)
    #expect(AudioMeasure.amplitude(of: 700, in: room.heard(4, last: 10)) < 100)
  }
}
