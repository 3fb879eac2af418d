internal import Foundation
internal import Synchronization

/// Standard error, one whole line at a time.
enum StandardError {
  private static let lock = Mutex(())

  /// Writes a line. A standard error that is closed or full of trouble stops nobody: there is
  /// nowhere left to complain.
  static func write(line: String) {
    let bytes = Data("\(line)\n".utf8)
    lock.withLock { _ in try? FileHandle.standardError.write(contentsOf: bytes) }
  }

  /// Whether it is a terminal.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
