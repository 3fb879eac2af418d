/// A sink that discards its audio.
public final class NullAudioSink: AudioSink {
  /// Creates a sink that discards its audio.
  public init() {}

  public func write(_ samples: Span<Int16>, channels: Int) {}
}
