/// A loudspeaker or a replacement of one.
public protocol AudioSink: AnyObject, Sendable {
  /// Receives the next 20 ms: 48 kHz, 16 bits, one or two channels, interleaved. Includes silence.
  ///
  /// Called every 20 ms on the media thread, so it must not block.
  func write(_ samples: Span<Int16>, channels: Int)
}
