internal import CarillonClient
internal import Synchronization

/// The loudspeaker of a demo client. The loudspeaker records all sound that it plays.
final class RecordingAudioSink: AudioSink, Sendable {
  private let heard = Mutex([Int16]())

  /// The current length of the recording, in samples.
  var mark: Int { heard.withLock { $0.count } }

  /// Returns the sound recorded since a mark.
  func sound(since mark: Int) -> DemoAudioClip {
    DemoAudioClip(heard.withLock { Array($0[mark...]) })
  }

  func write(_ samples: Span<Int16>, channels: Int) {
    heard.withLock { heard in
      for index in stride(from: 0, to: samples.count, by: channels) { heard.append(samples[index]) }
    }
  }
}
