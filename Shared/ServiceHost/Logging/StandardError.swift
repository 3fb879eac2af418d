internal import Foundation
internal import Synchronization

/// Access to standard error, one whole line at a time.
enum StandardError {
  private static let lock = Mutex(())

  /// Writes a line. Ignores errors, because there is no other place to report them.
  static func write(line: String) {
    let bytes = Data("\(line)\n".utf8)
    lock.withLock { _ in try? FileHandle.standardError.write(contentsOf: bytes) }
  }

  /// Whether standard error is a terminal.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
