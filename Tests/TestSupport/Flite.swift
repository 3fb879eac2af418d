import Foundation

/// Synthesises speech for tests with flite(1).
public enum Flite {
  public struct Failed: Error {
    let status: Int32
  }

  /// The sample rate of flite's larger voices.
  private static let nativeHertz = 16_000

  /// Returns a spoken sentence as samples of one channel.
  ///
  /// - Parameters:
  ///   - voice: A voice with a sample rate of 16 kHz: `slt`, `awb` or `rms`.
  ///   - hertz: The sample rate in Hz: 16,000 or a multiple of 16,000.
  public static func speak(
    _ sentence: String, voice: String = "slt", at hertz: Int = 16_000
  ) async throws -> [Int16] {
    try await withTemporaryDirectory { directory in
      let wave = directory + "/speech.wav"
      try run("-voice", voice, "-t", sentence, "-o", wave)
      // The header of flite's WAV file has 44 bytes.
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: wave))).dropFirst(44)
      let samples = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
        Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
      }
      return interpolated(samples, by: hertz / nativeHertz)
    }
  }

  /// Returns the same sound at `factor` times the sample rate, by linear interpolation.
  public static func interpolated(_ samples: [Int16], by factor: Int) -> [Int16] {
    guard factor > 1 else { return samples }
    return zip(samples, samples.dropFirst() + [0]).flatMap { sample, next in
      (0..<factor).map { step in
        Int16((Int(sample) * (factor - step) + Int(next) * step) / factor)
      }
    }
  }

  private static func run(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["flite"] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
  }
}

/// Returns the word error rate: the number of wrong, missing and extra words (Levenshtein distance)
/// divided by the number of spoken words.
public func wordErrorRate(_ heard: String, _ said: String) -> Double {
  let (heard, said) = (words(heard), words(said))
  var row = Array(0...heard.count)
  for (line, word) in said.enumerated() {
    var next = [line + 1]
    for (column, other) in heard.enumerated() {
      next.append(min(row[column] + (word == other ? 0 : 1), row[column + 1] + 1, next[column] + 1))
    }
    row = next
  }
  return Double(row[heard.count]) / Double(max(1, said.count))
}

private func words(_ text: String) -> [String] {
  text.lowercased().split { !$0.isLetter && $0 != "'" }.map(String.init)
}
