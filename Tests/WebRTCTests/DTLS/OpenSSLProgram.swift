import Foundation

@testable import WebRTC

/// A run of the program `openssl`. timeout(1) ends the program after 30 s.
final class OpenSSLProgram {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// The text that the program has written so far.
  private(set) var text = ""

  /// Starts the program. ``text`` also contains the program's standard error.
  init(_ arguments: [String]) throws {
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments = ["30", "openssl"] + arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  /// Reads until the program has written a line that begins with a prefix. Spaces before the prefix
  /// do not count.
  ///
  /// - Returns: The rest of the line; `nil` if the program ended without writing such a line.
  func line(after prefix: String) -> String? {
    while true {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let found = lines.map { $0.trimmingPrefix { $0 == " " } }.first { $0.hasPrefix(prefix) }
      if let found { return String(found.dropFirst(prefix.count)) }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { return nil }
      text += String(decoding: data, as: UTF8.self)
    }
  }

  /// Ends the program's input.
  func closeInput() throws { try input.fileHandleForWriting.close() }

  /// Waits until the program ends.
  ///
  /// - Returns: The program's exit status.
  func end() throws -> Int32 {
    text += String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus
  }
}
