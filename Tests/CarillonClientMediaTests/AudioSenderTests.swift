import RTP
import Synchronization
import Testing

@testable import CarillonClientCore
@testable import CarillonClientMedia

struct AudioSenderTests {
  /// Sends the sound of a source for this many ticks of 20 ms.
  ///
  /// - Returns: For each tick, whether a packet was sent.
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
    var settings = MediaSettings()
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

  @Test func `silence after a tone is sent briefly and then almost not at all`() throws {
    let source = ToneThenSilence(ticks: 250)
    let sender = try sender(source)
    #expect(sent(250, by: sender).allSatisfy { $0 })
    let after = sent(500, by: sender)
    // The last sound may fade. After that, one packet in twenty reports silence.
    #expect(after.prefix(10).allSatisfy { $0 })
    #expect(after.dropFirst(10).count { $0 } < 50)
    source.begin()
    #expect(sent(250, by: sender).allSatisfy { $0 })
  }
}

/// A tone, and then zeros that are still sent as sound.
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
