internal import CarillonClient
internal import Synchronization

/// The loudspeaker of a client of the demo: keeps all that it hears.
final class Ear: AudioSink, Sendable {
  private let heard = Mutex([Int16]())

  /// Where the recording is now.
  var mark: Int { heard.withLock { $0.count } }

  /// What was heard from a mark on.
  func sound(since mark: Int) -> Sound { Sound(heard.withLock { Array($0[mark...]) }) }

  func write(_ samples: Span<Int16>, channels: Int) {
    heard.withLock { heard in
      for index in stride(from: 0, to: samples.count, by: channels) { heard.append(samples[index]) }
    }
  }
}
