/// A microphone or a replacement of one.
public protocol AudioSource: AnyObject, Sendable {
  /// Writes the next samples: 20 ms, one channel, 48 kHz, 16 bits.
  ///
  /// Called every 20 ms on the media thread, so it must not block.
  ///
  /// - Returns: False for silence. The samples are then ignored.
  func read(into samples: inout MutableSpan<Int16>) -> Bool
}
