import Foundation
import LongComputation
import Opus
import TestSupport
import Testing

@testable import Media

@Suite(.longComputation) struct SpeakerSelectionTests {
  @Test(arguments: [6, 10, 50], 1...10 as ClosedRange<UInt64>)
  func `a speaker who is louder by 6 dB for 100 ms is heard within 60 ms`(
    attendees: Int, seed: UInt64
  ) throws {
    // Most rooms with fifty attendees run for 3 s, because a debug build encodes their sound
    // slowly.
    let ticks = attendees > 10 && seed > 1 ? 150 : 500
    var random = SeededGenerator(seed: seed)
    let recordings = try (0..<attendees).map { _ in
      try TalkRecording(.random(ticks: ticks, using: &random), ticks: ticks)
    }
    var rooms = [(recordings, true), (recordings, false)]
    // In this room, the packets contain no levels, and no packet is lost. So the model judges the
    // original sound. With fifty attendees, only the first three seeds get this room, because media
    // decodes all sound of the room.
    if attendees <= 10 || seed <= 3 {
      rooms.append((recordings.map { $0.withoutLoss() }, false))
    }
    for (recordings, isLabelled) in rooms {
      let room = try TalkRoom(recordings, isLabelled: isLabelled)
      try room.run(ticks: ticks)
      #expect(room.model.longestLoss <= 3, "labelled: \(isLabelled)")
      #expect(room.model.fullTicks > 20)
      expectFewSwaps(room.model)
    }
  }

  @Test func `a decoder plays a word too quietly only if the word's first packets are lost`()
    throws
  {
    // If the packets contain no levels and the first packets of a word are lost, media cannot
    // determine how loud the word was (see TalkRoom).
    let word = script(level: -20, words: [48_000..<96_000])
    let recording = try TalkRecording(word, ticks: 100)
    let whole = try decodedLevels(of: recording, losing: [])
    let cut = try decodedLevels(of: recording, losing: [50, 51])
    #expect(whole[51..<99].allSatisfy { abs($0 + 20) < 2 }, "\(whole[50...])")
    #expect(cut[52] < -30, "\(cut[50...])")
    #expect(cut[58..<99].allSatisfy { abs($0 + 20) < 2 }, "\(cut[50...])")
  }

  /// Returns the level of each decoded tick, in dBov.
  private func decodedLevels(of recording: TalkRecording, losing lost: Set<Int>) throws -> [Double]
  {
    var decoder = try OpusDecoder(channels: 1)
    return try recording.packets.enumerated().map { tick, packet in
      var samples = [Int16](repeating: 0, count: 960)
      var room = samples.mutableSpan
      if let packet, !lost.contains(tick) {
        _ = try decoder.decode(packet.span, into: &room)
      } else {
        _ = try decoder.conceal(sampleCount: 960, into: &room)
      }
      return 10 * log10(max(TalkRecording.power(of: samples), 1e-12))
    }
  }

  @Test(arguments: [true, false])
  func `a loud sixth speaker is heard despite pauses between words`(isLabelled: Bool) throws {
    // Five attendees murmur all the time. The sixth attendee says a word of 100-300 ms about once a
    // second.
    var scripts = (0..<5).map { _ in script(level: -45, words: [0..<240_000 * 2]) }
    var random = SeededGenerator(seed: 9)
    scripts.append(
      script(
        level: -20,
        words: (1..<9).map { second in
          let start = second * 48_000 + Int.random(in: 0..<9_600, using: &random)
          return start..<start + Int.random(in: 4_800..<14_400, using: &random)
        } + [456_000..<480_000]))
    let room = try TalkRoom(record(scripts, ticks: 500), isLabelled: isLabelled)
    try room.run(ticks: 500)
    #expect(room.model.longestLoss <= 3)
    #expect(room.model.fullTicks > 400)
  }

  @Test(arguments: [true, false])
  func `equally loud speakers replace each other in the mix at most once a second`(isLabelled: Bool)
    throws
  {
    // Six attendees speak without a pause. The levels of their words differ by at most 2 dB.
    var random = SeededGenerator(seed: 4)
    let scripts = (0..<6).map { _ in
      var script = TalkScript()
      var end = 0
      while end < 480_000 {
        let length = Int.random(in: 4_800..<48_000, using: &random)
        let level = Double.random(in: -27 ... -25, using: &random)
        script.words.append(.init(samples: end..<end + length, level: level))
        end += length
      }
      return script
    }
    let room = try TalkRoom(record(scripts, ticks: 500), isLabelled: isLabelled)
    try room.run(ticks: 500)
    expectFewSwaps(room.model)
    #expect(room.model.fullTicks > 400)
  }

  private func record(_ scripts: [TalkScript], ticks: Int) throws -> [TalkRecording] {
    try scripts.map { try TalkRecording($0, ticks: ticks) }
  }

  private func script(level: Double, words: [Range<Int>]) -> TalkScript {
    var script = TalkScript()
    script.words = words.map { .init(samples: $0, level: level) }
    return script
  }

  /// Checks that equally loud attendees replace each other at most once a second.
  private func expectFewSwaps(_ model: SeatModel) {
    let swaps = model.swapsOfEquals
    for (first, second) in zip(swaps, swaps.dropFirst()) { #expect(second - first >= 50) }
  }
}
