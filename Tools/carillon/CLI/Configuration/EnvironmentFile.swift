internal import Foundation
internal import Output

/// A file of settings, one `NAME=VALUE` per line, in the format of systemd and Docker.
///
/// The parser skips empty lines and lines that begin with `#`. The parser removes one pair of
/// single or double quotes around a value, and expands nothing in the value.
enum EnvironmentFile {
  /// Reads the variables of a file.
  static func read(_ path: String) throws(CommandFailure) -> [String: String] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .precondition("\(path) cannot be read; name a text file with --env-file.")
    }
    return try parse(text, from: path)
  }

  /// Parses the variables of a text. If several lines have the same name, the last line applies.
  ///
  /// - Throws: ``CommandFailure`` that names the first malformed line.
  static func parse(_ text: String, from path: String) throws(CommandFailure) -> [String: String] {
    var variables: [String: String] = [:]
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      guard let equals = line.firstIndex(of: "="), isName(line[..<equals]) else {
        throw .precondition(
          "\(path), line \(index + 1): it must be NAME=VALUE, a comment or empty.")
      }
      variables[String(line[..<equals])] = unquoted(line[line.index(after: equals)...])
    }
    return variables
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  private static func unquoted(_ value: Substring) -> String {
    guard value.count >= 2, let quote = value.first, quote == "\"" || quote == "'",
      value.last == quote
    else { return String(value) }
    return String(value.dropFirst().dropLast())
  }
}
