/// A loudspeaker that nobody hears.
public final class NullAudioSink: AudioSink {
  /// Makes a sink that drops what it is given.
  public init() {}

  public func write(_ samples: Span<Int16>, channels: Int) {}
}
