/// A loudspeaker that nobody hears.
public final class NullAudioSink: AudioSink {
  public init() {}

  public func write(_ samples: Span<Int16>, channels: Int) {}
}
