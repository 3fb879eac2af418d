public import Foundation
import Synchronization

/// A logger that writes `[LEVEL] name - message` and the thread to standard error.
public final class ConsoleLogger: NSObject, Logger, Sendable {
  private let name: String
  private let level: Mutex<LogLevel>

  /// Creates a logger.
  ///
  /// - Parameters:
  ///   - name: The name in every line, after the level.
  ///   - level: The lowest level to write; `OFF` writes nothing.
  public init(name: String, level: LogLevel = .INFO) {
    self.name = name
    self.level = Mutex(level)
  }

  public func `default`(msg: String) { write(msg, at: .DEFAULT) }

  /// Writes a line of the level `DEBUG`. Calls the closure only if the logger writes the line.
  public func debug(debugFunction: () -> String) {
    guard writes(.DEBUG) else { return }
    write(debugFunction(), at: .DEBUG)
  }

  public func info(msg: String) { write(msg, at: .INFO) }

  public func fault(msg: String) { write(msg, at: .FAULT) }

  public func error(msg: String) { write(msg, at: .ERROR) }

  public func setLogLevel(level: LogLevel) {
    self.level.withLock { $0 = level }
  }

  public func getLogLevel() -> LogLevel {
    level.withLock { $0 }
  }

  private func writes(_ lineLevel: LogLevel) -> Bool {
    let level = getLogLevel()
    return level != .OFF && lineLevel.rawValue >= level.rawValue
  }

  private func write(_ message: String, at lineLevel: LogLevel) {
    guard writes(lineLevel) else { return }
    let line = Self.line(
      level: lineLevel, name: name, message: message, thread: Thread.current.description)
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  static func line(level: LogLevel, name: String, message: String, thread: String) -> String {
    "[\(level)] \(name) - \(message) \(thread)"
  }
}
