import Dispatch
import Foundation
import Trials

/// Asks an HTTP server of this machine one thing, over a connection of its own.
public enum LocalHTTP {
  public enum Place: Hashable, Sendable {
    case unixSocket(path: String)
    case port(Int)

    fileprivate var host: String {
      switch self {
      case .unixSocket: "localhost"
      case .port(let port): "127.0.0.1:\(port)"
      }
    }
  }

  public struct Answer: Sendable {
    public let status: Int
    public let body: String
  }

  public enum Failure: Error {
    case noAnswer(String)
  }

  /// Seconds that a step of an exchange may take.
  private static let patience = 10

  /// - Parameter json: The body; `nil` sends none.
  public static func ask(
    _ method: String = "GET", _ path: String, at place: Place, json: String? = nil
  ) async throws -> Answer {
    let body = json ?? ""
    let text = """
      \(method) \(path) HTTP/1.1\r
      Host: \(place.host)\r
      Connection: close\r
      Content-Type: application/json\r
      Content-Length: \(body.utf8.count)\r
      \r
      \(body)
      """
    // Blocking calls have no place on the threads that tests run on.
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try exchange(text, at: place) })
      }
    }
  }

  private static func exchange(_ text: String, at place: Place) throws -> Answer {
    let socket =
      switch place {
      case .unixSocket(let path): try LocalSocket(connectedTo: path)
      case .port(let port): try LocalSocket(connectedToPort: port)
      }
    socket.limitWaits(toSeconds: patience)
    try socket.send(Array(text.utf8))
    let answer = String(decoding: socket.readToEnd().bytes, as: UTF8.self)
    guard let end = answer.range(of: "\r\n\r\n"),
      let status = answer.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw Failure.noAnswer(answer) }
    let body = String(answer[end.upperBound...])
    let isChunked = answer[..<end.lowerBound].lowercased().contains("transfer-encoding: chunked")
    return Answer(status: status, body: isChunked ? joinChunks(body) : body)
  }

  /// Each chunk follows its size in hexadecimal, on a line; one of size 0 ends them (RFC 9112,
  /// section 7.1).
  private static func joinChunks(_ text: String) -> String {
    var rest = Array(text.utf8)[...]
    var body: [UInt8] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: rest[..<end].prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
      let digits = line.prefix { $0.isHexDigit }
      guard let size = Int(digits, radix: 16), size > 0 else { break }
      rest = rest[(end + 1)...]
      body += rest.prefix(size)
      rest = rest.dropFirst(size + 2)
    }
    return String(decoding: body, as: UTF8.self)
  }
}
