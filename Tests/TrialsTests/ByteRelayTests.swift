import Foundation
import TestSupport
import Testing

@testable import Trials

@Suite(.timeLimit(.minutes(5))) struct ByteRelayTests {
  /// Runs a test with a relay to a socket that echoes every byte.
  private func withEcho(_ body: (ByteRelay) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let listener = try Self.echo(at: "\(directory)/echo")
      defer { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }
      let relay = try ByteRelay(at: "\(directory)/relay", to: "\(directory)/echo")
      defer { relay.close() }
      try await body(relay)
    }
  }

  /// Echoes until the listener is shut down.
  private static func echo(at path: String) throws -> LocalSocket {
    let listener = try LocalSocket(listeningAt: path)
    Thread.detachNewThread {
      while case let connection = accept(listener.descriptor, nil, nil), connection >= 0 {
        let peer = LocalSocket(adopting: connection)
        Thread.detachNewThread {
          var bytes = [UInt8](repeating: 0, count: 4096)
          while case let count = recv(peer.descriptor, &bytes, bytes.count, 0), count > 0 {
            try? peer.send(Array(bytes[..<count]))
          }
        }
      }
    }
    return listener
  }

  private func connect(to relay: ByteRelay) throws -> LocalSocket {
    let socket = try LocalSocket(connectedTo: relay.path)
    socket.limitWaits(toSeconds: 30)
    return socket
  }

  /// Sends a text and returns the answer; `nil` when the connection has ended.
  private func exchange(_ text: String, over socket: LocalSocket) -> String? {
    guard (try? socket.send(Array(text.utf8))) != nil else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket.descriptor, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  @Test func `bytes pass in both directions`() async throws {
    try await withEcho { relay in
      let socket = try connect(to: relay)
      #expect(exchange("hello", over: socket) == "hello")
      #expect(relay.connectionCount == 1)
    }
  }

  @Test func `a cut closes existing and new connections until the cut is lifted`() async throws {
    try await withEcho { relay in
      let socket = try connect(to: relay)
      #expect(exchange("before", over: socket) == "before")
      relay.set(.cut)
      #expect(socket.readToEnd().isEnded)
      let refused = try connect(to: relay)
      #expect(refused.readToEnd() == ([], true))
      #expect(relay.connectionCount == 0)
      relay.set(.open)
      #expect(exchange("after", over: try connect(to: relay)) == "after")
    }
  }

  @Test func `bytes sent while the relay is silent arrive afterwards`() async throws {
    try await withEcho { relay in
      let socket = try connect(to: relay)
      #expect(exchange("before", over: socket) == "before")
      relay.set(.silent)
      try socket.send(Array("meanwhile".utf8))
      relay.set(.open)
      var bytes = [UInt8](repeating: 0, count: 9)
      #expect(recv(socket.descriptor, &bytes, bytes.count, Int32(MSG_WAITALL)) == 9)
      #expect(String(decoding: bytes, as: UTF8.self) == "meanwhile")
    }
  }

  @Test func `a relay that gets a new target keeps the open connections`() async throws {
    try await withEcho { relay in
      let socket = try connect(to: relay)
      #expect(exchange("before", over: socket) == "before")
      relay.lead(to: "/nowhere")
      let next = try connect(to: relay)
      #expect(next.readToEnd() == ([], true))
      #expect(exchange("after", over: socket) == "after")
    }
  }
}
