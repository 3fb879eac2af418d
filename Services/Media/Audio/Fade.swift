/// Fades voices in and out, so that they start and end without a click.
enum Fade {
  /// The length, in samples, of the fade of a voice that begins or ends in the mix: 10 ms.
  static let samples = 480
  /// The length, in samples, of the fade of a voice that must stop immediately: 5 ms.
  static let shortSamples = 240

  /// Raises a frame from silence to its full level over its first 10 ms.
  static func fadeIn(_ frame: inout [Int16], channels: Int) {
    var frame = frame.mutableSpan
    for index in 0..<min(Self.samples * channels, frame.count) {
      frame[index] = Int16(Int32(frame[index]) * Int32(index / channels) / Int32(Self.samples))
    }
  }

  /// Lowers a frame to silence over its first `samples` samples. The rest of the frame is silent.
  static func fadeOut(_ frame: inout [Int16], channels: Int, samples: Int) {
    var frame = frame.mutableSpan
    for index in frame.indices {
      let left = max(0, samples - index / channels)
      frame[index] = Int16(Int32(frame[index]) * Int32(left) / Int32(samples))
    }
  }
}
