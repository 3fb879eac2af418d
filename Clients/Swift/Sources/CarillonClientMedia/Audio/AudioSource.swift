/// A microphone, or what stands for one.
public protocol AudioSource: AnyObject, Sendable {
  /// Fills in the next samples: 20 ms, one channel, 48 kHz, 16 bits.
  ///
  /// Called every 20 ms on the media thread, which waits: whatever takes long happens elsewhere.
  ///
  /// - Returns: False if there is nothing to be heard; what was filled in then does not matter.
  func read(into samples: inout MutableSpan<Int16>) -> Bool
}
