/// A loudspeaker, or a replacement of a loudspeaker.
public protocol AudioSink: AnyObject, Sendable {
  /// Receives the next 20 ms of audio, including silence: 48 kHz, 16 bits, one or two channels,
  /// interleaved.
  ///
  /// The library calls this method every 20 ms on the media thread, so the method must not block.
  func write(_ samples: Span<Int16>, channels: Int)
}
