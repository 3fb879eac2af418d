internal import Foundation
internal import Synchronization

/// Standard output and standard error, written one whole text at a time.
package enum Console {
  private static let lock = Mutex(())

  /// Writes lines to standard output.
  package static func out(_ text: String) { write(text, to: .standardOutput) }

  /// Writes lines to standard error.
  package static func error(_ text: String) { write(text, to: .standardError) }

  /// Writes a text. Ignores errors, because a closed stream leaves no place to report them.
  private static func write(_ text: String, to handle: FileHandle) {
    let bytes = Data("\(text)\n".utf8)
    lock.withLock { _ in try? handle.write(contentsOf: bytes) }
  }
}
