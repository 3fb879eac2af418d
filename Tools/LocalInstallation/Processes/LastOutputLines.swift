internal import Foundation
internal import Synchronization

/// The last lines of a service, which contain the reason for a failed start.
final class LastOutputLines: Sendable {
  private let lines = Mutex<[String]>([])

  private static let most = 50

  init() {}

  /// Adds a line. If there are too many lines, drops the oldest line.
  func add(_ line: String) {
    lines.withLock { lines in
      if lines.count == Self.most { lines.removeFirst() }
      lines.append(line)
    }
  }

  /// The reason for a failed start; `nil` if the service wrote no line.
  ///
  /// The reason is the error in the "Cannot start" log line, in either format. If there is no such
  /// line, the reason is the error about the command line. If there is no such error, the reason is
  /// the last line.
  var reason: String? {
    let lines = lines.withLock { $0 }
    return lines.lazy.reversed().compactMap(Self.logged).first
      ?? lines.last { $0.hasPrefix("Error: ") }.map { String($0.dropFirst("Error: ".count)) }
      ?? lines.last { $0.contains { !$0.isWhitespace } }
  }

  private static let event = "Cannot start"

  /// Returns the error of a "Cannot start" log line.
  private static func logged(_ line: String) -> String? {
    if let entry = try? JSONDecoder().decode(Entry.self, from: Data(line.utf8)) {
      return entry.message == event ? entry.error : nil
    }
    guard let head = line.firstRange(of: "\(event)  error=") else { return nil }
    let value = line[head.upperBound...]
    guard value.hasPrefix("\"") else { return String(value.prefix { $0 != " " }) }
    var isEscaped = false
    let text = value.dropFirst().prefix { character in
      defer { isEscaped = character == "\\" && !isEscaped }
      return character != "\"" || isEscaped
    }
    return (try? JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8))) ?? String(text)
  }

  private struct Entry: Decodable {
    let message: String
    let error: String?
  }
}
