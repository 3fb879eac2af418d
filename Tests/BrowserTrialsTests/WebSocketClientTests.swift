import Foundation
import LocalInstallation
import Testing
import Trials

@testable import BrowserTrials

/// Tests of the WebSocket client against a server that sends scripted bytes.
struct WebSocketClientTests {
  private static let upgrade = """
    HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\
    Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: p\r\n\r\n
    """

  /// Connects to a server that sends `answer`, and passes the client and the server's socket to
  /// `body`.
  private func withClient(
    _ answer: [UInt8], _ body: (WebSocketClient, LocalSocket) async throws -> Void
  ) async throws {
    let listener = try LocalSocket(listeningAtPort: 0)
    let port = UInt16(try listener.port())
    let client = WebSocketClient()
    async let server = Self.serve(listener, answer)
    do {
      try await client.open(
        .tcp(host: "127.0.0.1", port: port), path: "/x", protocols: ["p", "token"],
        within: .seconds(10))
      try await body(client, try #require(await server))
    } catch {
      await client.close()
      throw error
    }
    await client.close()
  }

  /// Reads one client's request and answers the request, on a thread that may block.
  private static func serve(_ listener: LocalSocket, _ answer: [UInt8]) async -> LocalSocket? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let peer = listener.accept()
        peer?.limitWaits(toSeconds: 10)
        var head: [UInt8] = []
        while let peer, head.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
          let more = peer.receive()
          guard !more.isEmpty else { break }
          head += more
        }
        try? peer?.send(answer)
        continuation.resume(returning: peer)
      }
    }
  }

  @Test func `fragments form one message, and a ping between fragments is answered`() async throws {
    let frames: [UInt8] = [0x02, 1, 7, 0x89, 2, 1, 2, 0x80, 2, 8, 9]
    try await withClient(Array(Self.upgrade.utf8) + frames) { client, server in
      let message = try await client.receive(within: .seconds(10))
      #expect(message == [7, 8, 9])
      let pong = server.receive(atMost: 8)
      #expect(pong.prefix(2) == [0x8A, 0x82])
      #expect([pong[6] ^ pong[2], pong[7] ^ pong[3]] == [1, 2])
    }
  }

  @Test(arguments: [1, 125, 126, 65_535, 65_536]) func `messages of any length arrive complete`(
    length: Int
  ) async throws {
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    let width = length < 126 ? 0 : length < 65_536 ? 2 : 8
    let size = stride(from: width - 1, through: 0, by: -1).map {
      UInt8(truncatingIfNeeded: length >> (8 * $0))
    }
    let head = [0x82, width == 0 ? UInt8(length) : width == 2 ? 126 : 127] + size
    try await withClient(Array(Self.upgrade.utf8) + head + payload) { client, server in
      let message = try await client.receive(within: .seconds(10))
      #expect(message == payload)
      try await client.send(payload, within: .seconds(10))
      var sent: [UInt8] = []
      while sent.count < 6 + width + length {
        let more = server.receive()
        guard !more.isEmpty else { break }
        sent += more
      }
      let mask = Array(sent[2 + width..<6 + width])
      let plain = sent[(6 + width)...].enumerated().map { $1 ^ mask[$0 % 4] }
      #expect(plain == payload)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 403 Forbidden\r\n\r\n", upgrade.replacing("s3pP", with: "xxxx"),
    upgrade.replacing("Protocol: p", with: "Protocol: token"), "",
  ])
  func `an invalid answer to the upgrade request is refused`(answer: String) async throws {
    await #expect(throws: HTTPError.self) {
      try await withClient(Array((answer.isEmpty ? "\r\n\r\n" : answer).utf8)) { _, _ in }
    }
  }

  @Test func `no message is received from a silent server, and a close frame ends the connection`()
    async throws
  {
    try await withClient(Array(Self.upgrade.utf8)) { client, server in
      let silence = try await client.receive(within: .milliseconds(1))
      #expect(silence == nil)
      try server.send([0x88, 2, 3, 0xE8])
      await #expect(throws: HTTPError.connectionLost) {
        try await client.receive(within: .seconds(10))
      }
    }
  }
}
