import Foundation

/// A program that measures on command: it reads a line and answers with a line of numbers.
final class MeasuringProcess {
  private let name: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  /// Starts the program. The program ends at the call of ``end()``, or when this process ends.
  init(_ command: [String]) throws {
    name =
      (command.first { !$0.hasPrefix("-") && $0 != "taskset" && Int($0) == nil } ?? "")
      .split(separator: "/").last.map(String.init) ?? ""
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// The program's process id.
  var processID: Int { Int(process.processIdentifier) }

  /// Sends a line and waits for the answer, which is a line of numbers.
  func ask(_ line: String) throws -> [Double] {
    try tell(line)
    return try readNumbers()
  }

  /// Sends a line without reading the answer.
  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Waits for the numbers of an answer.
  func readNumbers() throws -> [Double] {
    let answer = try readLine()
    let numbers = answer.split(separator: " ").compactMap { Double($0) }
    guard numbers.count >= 2 else { throw BenchError.unreadable(name, answer: answer) }
    return numbers
  }

  /// Waits for the next line of the program's output.
  func readLine() throws -> String {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw BenchError.ended(name) }
      unread += more
    }
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
