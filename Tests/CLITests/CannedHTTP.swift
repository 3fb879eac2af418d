import Foundation
import Glibc

@testable import Trials

/// A Unix socket that answers every HTTP request as the test defines, with one request per
/// connection.
final class CannedHTTP: Sendable {
  /// The requested paths.
  let paths = AwaitableEntryList<String>()
  private let listener: LocalSocket

  /// - Parameter answer: Returns the status and the body for a path.
  convenience init(
    at path: String, _ answer: @escaping @Sendable (String) -> (status: Int, body: String)
  ) throws {
    try self.init(at: path) { path -> String in
      let (status, body) = answer(path)
      return "HTTP/1.1 \(status) Any\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
  }

  /// - Parameter raw: The bytes to send in answer to every request.
  convenience init(at path: String, raw: String) throws {
    try self.init(at: path) { _ -> String in raw }
  }

  private init(at path: String, reply: @escaping @Sendable (String) -> String) throws {
    listener = try LocalSocket(listeningAt: path)
    Thread.detachNewThread { [listener, paths] in
      while case let connection = accept(listener.descriptor, nil, nil), connection >= 0 {
        // Child processes that start later must not keep the connection open.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        let peer = LocalSocket(adopting: connection)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(peer.descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { continue }
        let words = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
        let path = words.dropFirst().first.map(String.init) ?? ""
        paths.append(path)
        try? peer.send(Array(reply(path).utf8))
      }
    }
  }

  /// Stops answering.
  func close() { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }
}
