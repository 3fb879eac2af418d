import Synchronization

@testable import CarillonClientCore

/// A logger that stores all log lines in memory.
final class RecordingLogger: Logger, Sendable {
  private let written = Mutex<[String]>([])

  var lines: [String] { written.withLock { $0 } }

  func `default`(msg: String) { write("default", msg) }
  func debug(debugFunction: () -> String) { write("debug", debugFunction()) }
  func info(msg: String) { write("info", msg) }
  func fault(msg: String) { write("fault", msg) }
  func error(msg: String) { write("error", msg) }
  func setLogLevel(level: LogLevel) {}
  func getLogLevel() -> LogLevel { .DEBUG }

  private func write(_ level: String, _ message: String) {
    written.withLock { $0.append("\(level): \(message)") }
  }
}
