import LongComputation
import MeetingModel
import Opus
import RTP
import TestSupport
import Testing

@testable import Media

@Suite(.longComputation) struct ShareAudioTests {
  /// The least amplitude of an audible tone. The sources send tones with 6,000.
  private static let loud = 3_000.0
  /// A tone with a lower amplitude counts as inaudible.
  private static let silent = 100.0

  private func expectTones(
    _ tones: Set<Double>, of all: [Double], in samples: [Int16],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for tone in all {
      let amplitude = AudioMeasure.amplitude(of: tone, in: samples)
      #expect(
        tones.contains(tone) ? amplitude > Self.loud : amplitude < Self.silent,
        "The tone of \(tone) Hz has the amplitude \(amplitude).", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [false, true])
  func `everybody but the sharer hears a share's sound`(sharerSpeaks: Bool) throws {
    let room = AudioRoom()
    try room.add(1, sharerSpeaks ? .tone(440) : nil)
    try room.add(2, .tone(1_000))
    try room.add(3)
    try room.addShare(4, .tone(2_000), of: 1)
    try room.run(80)
    let tones = [440.0, 1_000, 2_000]
    let voice: Set<Double> = sharerSpeaks ? [440] : []
    expectTones([1_000], of: tones, in: room.heard(1, last: 20))
    expectTones(voice.union([2_000]), of: tones, in: room.heard(2, last: 20))
    expectTones(voice.union([1_000, 2_000]), of: tones, in: room.heard(3, last: 20))
    #expect(room.ears[4]?.packets.isEmpty == true)
  }

  @Test func `a share takes no speaker's place in the mix`() throws {
    let room = AudioRoom()
    let voices = [300.0, 500, 700, 900, 1_100]
    for (index, tone) in voices.enumerated() {
      try room.add(index, .tone(tone, amplitude: 4_000))
    }
    try room.add(5)
    try room.addShare(6, .tone(2_000, amplitude: 4_000), of: 0)
    try room.run(100)
    for tone in voices + [2_000] {
      #expect(AudioMeasure.amplitude(of: tone, in: room.heard(5, last: 20)) > 2_000)
    }
    #expect(room.audio.speakerCount == 5)
    #expect(room.statistics(6)?.isTalking == false)
  }

  @Test func `a quiet share is heard even if its packets claim silence`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(1_000))
    try room.add(2)
    // −56 dBov: a voice needs −55 dBov to become an active speaker.
    try room.addShare(3, .tone(2_000, amplitude: 73), of: 1, level: { _ in 127 })
    try room.run(80)
    #expect(AudioMeasure.amplitude(of: 2_000, in: room.heard(2, last: 20)) > 30)
  }

  @Test func `the mix contains at most two shares, and a silent share makes room`() throws {
    let room = AudioRoom()
    try room.add(1)
    for (key, tone) in [(2, 500.0), (3, 900), (4, 1_500)] {
      try room.addShare(key, .tone(tone), of: nil)
    }
    try room.run(60)
    let tones = [500.0, 900, 1_500]
    expectTones([500, 900], of: tones, in: room.heard(1, last: 20))
    #expect(room.audio.counters.decodes <= 2 * 60)
    room.setSignal(2, .silence)
    try room.run(80)
    expectTones([900, 1_500], of: tones, in: room.heard(1, last: 20))
  }

  @Test func `a silent share causes no packets`() throws {
    let room = AudioRoom()
    try room.add(1)
    try room.add(2)
    try room.addShare(3, .silence, of: 1)
    try room.run(100)
    #expect(room.ears[1]?.packets.isEmpty == true)
    #expect(room.ears[2]?.packets.isEmpty == true)
    room.setSignal(3, .tone(700))
    try room.run(50)
    #expect(room.ears[1]?.packets.isEmpty == true)
    expectTones([700], of: [700], in: room.heard(2, last: 20))
    room.setSignal(3, .silence)
    try room.run(60)
    let count = room.ears[2]?.packets.count
    try room.run(60)
    #expect(room.ears[2]?.packets.count == count)
  }

  @Test func `the sharer never hears its share, even while the share leaves the meeting`() throws {
    let room = AudioRoom()
    try room.add(1)
    try room.add(2, .tone(1_000))
    try room.addShare(3, .tone(2_000), of: 1)
    var loudest = 0.0
    try room.run(60) {
      loudest = max(loudest, AudioMeasure.amplitude(of: 2_000, in: room.heard(1, last: 1)))
    }
    room.audio.remove(SessionSlot(3))
    room.setSending(3, false)
    try room.run(60) {
      loudest = max(loudest, AudioMeasure.amplitude(of: 2_000, in: room.heard(1, last: 1)))
    }
    // The beginning of the other tone has some energy at each frequency.
    #expect(loudest < 600)
    expectTones([1_000], of: [1_000, 2_000], in: room.heard(1, last: 20))
    let timestamps = room.ears[1]?.timestamps ?? []
    #expect(zip(timestamps, timestamps.dropFirst()).allSatisfy { $1 == $0 &+ 960 })
  }

  @Test func `a muted share is silent at once`() throws {
    let room = AudioRoom()
    try room.add(1)
    try room.add(2)
    try room.addShare(3, .tone(2_000), of: 1)
    try room.run(50)
    room.audio.setMayBeHeard(SessionSlot(3), false)
    try room.run(1)
    try room.run(20)
    expectTones([], of: [2_000], in: room.heard(2, last: 20))
    room.audio.setMayBeHeard(SessionSlot(3), true)
    try room.run(40)
    expectTones([2_000], of: [2_000], in: room.heard(2, last: 20))
  }

  @Test func `listeners who receive stereo hear a stereo share in two channels`() throws {
    let room = AudioRoom()
    var stereo = AudioSignal.tone(2_000)
    stereo.channels = 2
    try room.add(1, .tone(440), mode: .stereo48K)
    try room.add(2, .tone(1_000), mode: .stereo48K)
    try room.add(3)
    try room.addShare(4, stereo, of: 1)
    try room.run(80)
    let tones = [440.0, 1_000, 2_000]
    expectTones([1_000], of: tones, in: room.heard(1, last: 20))
    expectTones([440, 2_000], of: tones, in: room.heard(2, last: 20))
    expectTones([440, 1_000, 2_000], of: tones, in: room.heard(3, last: 20))
    #expect(room.ears[2]?.packets.last?.channels == 2)
    #expect(room.ears[3]?.packets.last?.channels == 1)
  }

  @Test func `transcription gets no sound of shares`() throws {
    let room = AudioRoom()
    room.wantsTalks = true
    try room.add(1, .tone(440))
    try room.addShare(2, .tone(2_000), of: 1)
    try room.run(60)
    #expect(room.talks[1] != nil)
    #expect(room.talks[2] == nil)
  }

  /// Starts and ends voices, shares and assignments at random. After each change, each listener
  /// must hear exactly the other attendees' sound. `AudioRoom` checks that nobody gets two packets
  /// in a tick.
  @Test(arguments: 1...6)
  func `despite random changes, each listener hears all sound except the listener's own`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let room = AudioRoom()
    let people = 0..<4
    let shares = 4..<6
    let tone = { (key: Int) in 400 + 330 * Double(key) }
    for key in people { try room.add(key, .tone(tone(key)), mode: .mono48K) }
    for key in people { room.setSending(key, false) }
    var sharers: [Int: Int] = [:]
    for key in shares {
      sharers[key] = key - 4
      try room.addShare(key, .tone(tone(key)), of: sharers[key])
      room.setSending(key, false)
    }
    var sending: Set<Int> = []
    for _ in 0..<20 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let key = Int.random(in: 0..<6, using: &random)
        if shares.contains(key), Bool.random(using: &random) {
          let free = people.filter { person in !sharers.values.contains(person) }
          sharers[key] = free.randomElement(using: &random)
          room.audio.setSharer(
            of: SessionSlot(key), to: sharers[key].map { SessionSlot($0) })
        } else if sending.remove(key) == nil {
          sending.insert(key)
        }
        room.setSending(key, sending.contains(key))
      }
      // After 400 ms of silence, a participant leaves the mix. The last 100 ms are checked.
      try room.run(40)
      for listener in people {
        let samples = room.heard(listener, last: 5)
        for key in 0..<6 {
          let isOwn = key == listener || sharers[key] == listener
          let amplitude = AudioMeasure.amplitude(of: tone(key), in: samples)
          if sending.contains(key), !isOwn {
            #expect(amplitude > 2_000, "\(listener) hears \(key)")
          } else {
            #expect(amplitude < 400, "\(listener) does not hear \(key)")
          }
        }
      }
    }
  }
}
