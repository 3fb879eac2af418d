public import Foundation
import Synchronization

/// Writes `[LEVEL] name - message` and the thread to standard error.
public final class ConsoleLogger: NSObject, Logger, Sendable {
  private let name: String
  private let level: Mutex<LogLevel>

  /// - Parameters:
  ///   - name: What every line begins with, after its level.
  ///   - level: Lines below it are left out; `OFF` writes nothing.
  public init(name: String, level: LogLevel = .INFO) {
    self.name = name
    self.level = Mutex(level)
  }

  public func `default`(msg: String) { write(msg, at: .DEFAULT) }

  /// Evaluates the closure only when the line is going to be written.
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
