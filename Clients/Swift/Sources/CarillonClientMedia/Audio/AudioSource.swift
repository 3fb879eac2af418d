/// A microphone, or a replacement of a microphone.
public protocol AudioSource: AnyObject, Sendable {
  /// Writes the next samples: 20 ms of audio, one channel, 48 kHz, 16 bits.
  ///
  /// The library calls this method every 20 ms on the media thread, so the method must not block.
  ///
  /// - Returns: `false` for silence. The caller then ignores the samples.
  func read(into samples: inout MutableSpan<Int16>) -> Bool
}
