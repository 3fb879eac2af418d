import Foundation

/// Speech for tests, made by flite(1) and sox(1).
public enum Flite {
  public struct Failed: Error {
    let program: String
    let status: Int32
  }

  /// A sentence as samples of one channel.
  ///
  /// - Parameter hertz: How many samples a second has.
  public static func speak(
    _ sentence: String, voice: String = "slt", at hertz: Int = 16_000
  ) async throws -> [Int16] {
    try await withTemporaryDirectory { directory in
      let wave = directory + "/speech.wav"
      let raw = directory + "/speech.raw"
      try run("flite", "-voice", voice, "-t", sentence, "-o", wave)
      try run(
        "sox", wave, "-r", "\(hertz)", "-c", "1", "-b", "16", "-e", "signed-integer", "-L", raw)
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
      return (0..<bytes.count / 2).map { index in
        Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)
      }
    }
  }

  private static func run(_ program: String, _ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(program: program, status: process.terminationStatus)
    }
  }
}

/// Words that are wrong, missing or too many, of all that were said (Levenshtein's distance).
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
