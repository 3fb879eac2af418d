internal import Foundation
internal import Synchronization

/// A source of an endless tone.
public final class ToneSource: AudioSource {
  private let step: Double
  private let amplitude: Double
  private let phase = Mutex(0.0)

  /// Creates a source of a tone.
  ///
  /// - Parameters:
  ///   - hertz: The frequency, 20-20,000 Hz.
  ///   - level: The amplitude as a share of full scale, 0-1.
  public init(hertz: Double = 440, level: Double = 0.25) {
    step = 2 * .pi * min(max(hertz, 20), 20_000) / Double(SampleRate.hertz)
    amplitude = min(max(level, 0), 1) * Double(Int16.max)
  }

  public func read(into samples: inout MutableSpan<Int16>) -> Bool {
    var phase = phase.withLock { $0 }
    for index in samples.indices {
      samples[index] = Int16(sin(phase) * amplitude)
      phase += step
      if phase > 2 * .pi { phase -= 2 * .pi }
    }
    self.phase.withLock { $0 = phase }
    return true
  }
}

/// The sample rate of all audio that a session sends and receives.
enum SampleRate {
  static let hertz = 48_000
  /// The number of samples of one channel in 20 ms.
  static let perTick = 960
}
