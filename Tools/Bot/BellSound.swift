internal import Foundation

/// The sound of a bot without a voice: a few bells, each a sum of fading partials.
enum BellSound {
  private static let rate = 48_000.0

  /// The strokes: the time of each stroke in seconds, and the pitch of its bell in hertz.
  private static let strokes = [(0.0, 659.3), (0.6, 523.3), (1.2, 587.3), (1.8, 392.0)]

  /// The partials of a bell: for each partial, the multiple of the bell's pitch, the loudness, and
  /// the decay time in seconds.
  private static let partials = [
    (1.0, 1.0, 1.2), (2.0, 0.6, 0.8), (2.4, 0.4, 0.6), (3.0, 0.25, 0.4),
  ]

  private static let seconds = 3.6

  /// Returns the sound as one channel at 48 kHz.
  static func ring() -> [Int16] {
    (0..<Int(seconds * rate)).map { index in
      let time = Double(index) / rate
      let sum = strokes.reduce(0.0) { sum, stroke in
        let since = time - stroke.0
        guard since >= 0 else { return sum }
        return sum
          + partials.reduce(0.0) { tone, partial in
            tone + partial.1 * exp(-since / partial.2) * sin(2 * .pi * stroke.1 * partial.0 * since)
          }
      }
      return Int16(clamping: Int(5_000 * sum))
    }
  }
}
