import CarillonClient
import Foundation

/// The code of section 1a of the guide `api_overview.md` with an application's own logger.
class MemoryLogger: Logger {
  private var level: LogLevel = .INFO
  private let lock = NSLock()
  private(set) var lines: [String] = []

  func `default`(msg: String) { keep(msg, at: .DEFAULT) }

  func debug(debugFunction: () -> String) { keep(debugFunction(), at: .DEBUG) }

  func info(msg: String) { keep(msg, at: .INFO) }

  func fault(msg: String) { keep(msg, at: .FAULT) }

  func error(msg: String) { keep(msg, at: .ERROR) }

  func setLogLevel(level: LogLevel) {
    self.level = level
  }

  func getLogLevel() -> LogLevel {
    return level
  }

  private func keep(_ msg: String, at level: LogLevel) {
    guard level.rawValue >= self.level.rawValue, self.level != .OFF else { return }
    lock.lock()
    defer { lock.unlock() }
    lines.append(msg)
  }
}
