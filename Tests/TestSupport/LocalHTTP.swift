import Dispatch
import Foundation
import Trials

/// A client for HTTP servers on this machine, with a new connection for each request.
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

  /// The time limit of each socket operation, in seconds.
  private static let patience = 10

  /// Sends a request and waits for the answer.
  ///
  /// - Parameter json: The body; `nil` for none.
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
    // Blocking calls must not run on the threads of the tests.
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

  /// Joins the chunks of a body. A line with the hexadecimal size precedes each chunk; a chunk of
  /// size 0 ends the body (RFC 9112, section 7.1).
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
