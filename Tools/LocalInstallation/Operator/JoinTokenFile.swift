internal import Foundation
package import Output

/// A file with one join token. The token is a secret, so no flag contains it.
package enum JoinTokenFile {
  /// Reads the token in a file, without surrounding white space.
  package static func read(_ path: String) throws(CommandFailure) -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .precondition(
        "\(path) cannot be read; name a readable file that contains the attendee's join token.")
    }
    let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !token.isEmpty else { throw .precondition("\(path) is empty.") }
    return token
  }

  /// Writes a token to a new file with mode 0600.
  package static func write(_ token: String, to path: String) throws(CommandFailure) {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .precondition(
        "\(path) cannot be created (errno \(errno)); name a file that does not exist yet.")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: Data("\(token)\n".utf8))
    } catch {
      throw .precondition("\(path) cannot be written: \(error.localizedDescription)")
    }
  }
}
