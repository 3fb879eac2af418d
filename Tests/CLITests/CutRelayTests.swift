import Foundation
import TestSupport
import Testing

@testable import CLI

@Suite(.timeLimit(.minutes(1))) struct CutRelayTests {
  private let deadline = ContinuousClock.now + .seconds(30)

  /// Answers every connection's bytes with themselves until its own listener goes.
  private func withEcho(_ body: (String, CutRelay) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      // An echo is a relay into a program that copies its input.
      let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      let path = "\(directory)/echo.sock"
      let isListening = UnixAddress.withAddress(of: path) { address, length in
        bind(listener, address, length) == 0 && listen(listener, 8) == 0
      }
      #expect(isListening == true)
      Thread.detachNewThread {
        while case let connection = accept(listener, nil, nil), connection >= 0 {
          Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while case let count = recv(connection, &bytes, bytes.count, 0), count > 0 {
              _ = send(connection, bytes, count, Int32(MSG_NOSIGNAL))
            }
            close(connection)
          }
        }
        close(listener)
      }
      let relay = CutRelay(at: "\(directory)/relay.sock", to: path)
      try await body(path, relay)
      relay.cut()
      shutdown(listener, Int32(SHUT_RDWR))
    }
  }

  private func exchange(_ text: String, over socket: borrowing StreamSocket) throws -> String {
    try socket.send(Array(text.utf8), deadline: deadline)
    return String(decoding: try socket.receive(deadline: deadline) ?? [], as: UTF8.self)
  }

  @Test func `bytes pass both ways`() async throws {
    try await withEcho { _, relay in
      try relay.connect()
      let socket = try StreamSocket(
        connectingTo: .unixSocket(path: relay.path), deadline: deadline)
      #expect(try exchange("hello", over: socket) == "hello")
      #expect(relay.connections == 1)
    }
  }

  @Test func `a cut ends what is there and takes nothing new until it is mended`() async throws {
    try await withEcho { _, relay in
      try relay.connect()
      let address = HTTPAddress.unixSocket(path: relay.path)
      let socket = try StreamSocket(connectingTo: address, deadline: deadline)
      #expect(try exchange("before", over: socket) == "before")
      relay.cut()
      #expect(try socket.receive(deadline: deadline) == nil)
      #expect(throws: HTTPError.self) {
        _ = try StreamSocket(connectingTo: address, deadline: deadline)
      }
      try relay.connect()
      let next = try StreamSocket(connectingTo: address, deadline: deadline)
      #expect(try exchange("after", over: next) == "after")
    }
  }
}
