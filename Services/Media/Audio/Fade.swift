/// Ramps that start and end voices without a click.
enum Fade {
  /// 10 ms, for a voice that begins or ends in the mix.
  static let samples = 480
  /// 5 ms, for a voice that must stop at once.
  static let shortSamples = 240

  /// Raises a frame from silence to its full level over its first 10 ms.
  static func fadeIn(_ frame: inout [Int16], channels: Int) {
    var frame = frame.mutableSpan
    for index in 0..<min(Self.samples * channels, frame.count) {
      frame[index] = Int16(Int32(frame[index]) * Int32(index / channels) / Int32(Self.samples))
    }
  }

  /// Lowers a frame to silence over its first `samples`.
  ///
  /// The rest is silent.
  static func fadeOut(_ frame: inout [Int16], channels: Int, samples: Int) {
    var frame = frame.mutableSpan
    for index in frame.indices {
      let left = max(0, samples - index / channels)
      frame[index] = Int16(Int32(frame[index]) * Int32(left) / Int32(samples))
    }
  }
}
