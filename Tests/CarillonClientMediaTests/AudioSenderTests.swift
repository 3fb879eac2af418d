import Foundation
import LongComputation
import Opus
import RTP
import Synchronization
import Testing

@testable import CarillonClientCore
@testable import CarillonClientMedia

@Suite(.longComputation) struct AudioSenderTests {
  /// Sends the sound of a source for `ticks` ticks of 20 ms.
  ///
  /// - Returns: For each tick, whether the sender sent a packet.
  private func sent(_ ticks: Int, by sender: AudioSender) -> [Bool] {
    (0..<ticks).map { _ in
      var isSent = false
      sender.tick(isMuted: false, isListenedTo: true) { _ in isSent = true }
      return isSent
    }
  }

  private func sender(
    _ source: any AudioSource, _ mode: AudioMode = .mono48K
  ) throws -> AudioSender {
    var settings = SessionMediaSettings()
    settings.audioMode = mode
    var numbers = SystemRandomNumberGenerator()
    return try #require(
      AudioSender(
        source, MediaFixture.format(11, 12), payloadType: 111, settings, numbers: &numbers))
  }

  @Test(arguments: [(440, 0.25), (1_000, 0.05), (200, 0.9)], [AudioMode.mono48K, .mono16K])
  func `an endless tone is sent without a pause`(
    tone: (hertz: Double, level: Double), mode: AudioMode
  ) throws {
    let sender = try sender(ToneSource(hertz: tone.hertz, level: tone.level), mode)
    #expect(sent(1_000, by: sender).allSatisfy { $0 })
  }

  @Test(arguments: [true, false])
  func `packets contain copies of the previous packets if the settings request redundancy`(
    hasRedundancy: Bool
  ) throws {
    var settings = SessionMediaSettings()
    settings.hasAudioRedundancy = hasRedundancy
    var numbers = SystemRandomNumberGenerator()
    let sender = try #require(
      AudioSender(
        Vowel(), MediaFixture.format(11, 12), payloadType: 111, settings, numbers: &numbers))
    var (packets, copies) = (0, 0)
    for _ in 0..<100 {
      sender.tick(isMuted: false, isListenedTo: true) { bytes in
        guard let packet = RTPPacket(bytes) else { return }
        packets += 1
        let payload = bytes.extracting(packet.payload)
        if OpusPacket(payload)?.hasRedundancy == true { copies += 1 }
      }
    }
    #expect(packets == 100)
    #expect(hasRedundancy ? copies > 50 : copies == 0, "\(copies) of \(packets)")
  }

  @Test func `silence after a tone is sent briefly and then almost not at all`() throws {
    let source = ToneThenSilence(ticks: 250)
    let sender = try sender(source)
    #expect(sent(250, by: sender).allSatisfy { $0 })
    let after = sent(500, by: sender)
    // While the last sound fades, the sender sends a packet in each tick. Later, the sender sends a
    // packet in about one of twenty ticks, to report silence.
    #expect(after.prefix(10).allSatisfy { $0 })
    #expect(after.dropFirst(10).count { $0 } < 50)
    source.begin()
    #expect(sent(250, by: sender).allSatisfy { $0 })
  }
}

/// A vowel whose loudness rises and falls four times a second, as speech does.
private final class Vowel: AudioSource {
  private let position = Mutex(0)

  func read(into samples: inout MutableSpan<Int16>) -> Bool {
    let start = position.withLock { position in
      defer { position += samples.count }
      return position
    }
    for index in samples.indices {
      let seconds = Double(start + index) / 48_000
      let envelope = 0.6 + 0.4 * sin(2 * .pi * 4 * seconds)
      let vowel = (1...10).reduce(0.0) { sum, harmonic in
        sum + sin(2 * .pi * 130 * Double(harmonic) * seconds) / Double(harmonic)
      }
      samples[index] = Int16(4_000 * envelope * vowel)
    }
    return true
  }
}

/// A tone, and then zeros that the sender still sends as sound.
private final class ToneThenSilence: AudioSource {
  private let tone = ToneSource()
  private let ticks: Int
  private let left: Mutex<Int>

  init(ticks: Int) {
    self.ticks = ticks
    left = Mutex(ticks)
  }

  /// Starts the tone again.
  func begin() { left.withLock { $0 = ticks } }

  func read(into samples: inout MutableSpan<Int16>) -> Bool {
    let isOver = left.withLock { left in
      left -= 1
      return left < 0
    }
    guard isOver else { return tone.read(into: &samples) }
    for index in samples.indices { samples[index] = 0 }
    return true
  }
}
