/// A loudspeaker, or what stands for one.
public protocol AudioSink: AnyObject, Sendable {
  /// Takes the next 20 ms: 48 kHz, 16 bits, one or two channels, interleaved. Silence comes too.
  ///
  /// Called every 20 ms on the media thread, which waits: whatever takes long happens elsewhere.
  func write(_ samples: Span<Int16>, channels: Int)
}
