import Foundation
public import Trials

/// A web server that answers every request with the same JSON and records the requests.
public final class HTTPAnswer: Sendable {
  /// The port on the loopback interface.
  public let port: Int

  /// The requests with their headers and bodies.
  public let requests = AwaitableEntryList<String>()

  private let listener: LocalSocket

  /// Starts the server.
  ///
  /// - Parameter status: Returns the status of an answer. The argument is the number of earlier
  ///   requests.
  public init(json: String, status: @escaping @Sendable (Int) -> Int = { _ in 200 }) throws {
    let listener = try LocalSocket(listeningAtPort: 0)
    self.listener = listener
    port = try listener.port()
    let rest =
      "Content-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n"
      + "Connection: close\r\n\r\n\(json)"
    Thread.detachNewThread { [requests] in
      while let client = listener.accept() {
        client.limitWaits(toSeconds: 5)
        var request = ""
        while !Self.isWhole(request) {
          let bytes = client.receive()
          guard !bytes.isEmpty else { break }
          request += String(decoding: bytes, as: UTF8.self)
        }
        let number = requests.entries.count
        requests.append(request)
        try? client.send(Array("HTTP/1.1 \(status(number)) OK\r\n\(rest)".utf8))
      }
    }
  }

  private static func isWhole(_ request: String) -> Bool {
    guard let end = request.range(of: "\r\n\r\n") else { return false }
    let length = request[..<end.lowerBound].split(separator: "\r\n").lazy
      .map { $0.split(separator: ":", maxSplits: 1) }
      .first { $0.first?.lowercased() == "content-length" }?
      .last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    return request[end.upperBound...].utf8.count >= length ?? 0
  }

  /// Stops listening.
  public func close() { listener.shutDown() }
}
