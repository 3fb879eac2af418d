import TestSupport
import Testing
import ZMTP
import ZeroMQ

/// libzmq's DEALER at the other end of a bare Unix socket.
@Suite struct LibzmqTests {
  /// Runs `body` with a dealer that is connected to an echo of this module.
  private func withDealer(
    _ options: [SocketOption] = [], limits: ZMTPLimits = ZMTPLimits(),
    _ body: (borrowing Socket, EchoEnd) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/echo.sock"
      let echo = try EchoEnd(at: path, limits: limits)
      defer { echo.stop() }
      let context = try Context()
      let socket = try Socket(.dealer, in: context)
      for option in options { try socket.set(option) }
      try socket.connect(to: Endpoint("ipc://\(path)"))
      try await body(socket, echo)
    }
  }

  private func expectEcho(_ message: [[UInt8]], _ socket: borrowing Socket) async throws {
    let answer = try await exchange(message, socket)
    #expect(answer == message)
  }

  /// - Parameter polls: How often it looks for the answer, every 10 ms.
  private func exchange(
    _ message: [[UInt8]], _ socket: borrowing Socket, polls: Int = 500
  ) async throws -> [[UInt8]] {
    // Nothing is taken before there is a connection.
    var isSent = false
    var answer: [[UInt8]]?
    for _ in 0..<polls where answer == nil {
      if !isSent { isSent = try socket.send(message.map { Frame($0) }) == .sent }
      answer = try socket.receive().map { $0.map(\.bytes) }.flatMap { $0.isEmpty ? nil : $0 }
      if answer == nil { try await Task.sleep(for: .milliseconds(10)) }
    }
    return answer ?? []
  }

  @Test func `messages of all sizes come there and back`() async throws {
    try await withDealer { socket, echo in
      for size in [0, 1, 255, 256, 8_193, 65_536] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await expectEcho([bytes], socket)
      }
      try await expectEcho([[], [1], [2, 3]], socket)
      #expect(echo.peer?.socketType == .dealer)
      #expect(echo.peer?.minorVersion == 1)
    }
  }

  @Test func `libzmq's heartbeats are answered`() async throws {
    let heartbeat = SocketOption.heartbeat(
      interval: .milliseconds(20), timeout: .milliseconds(200))
    try await withDealer([heartbeat]) { socket, echo in
      try await expectEcho([[1]], socket)
      // Unanswered, the dealer would have hung up and come again.
      try await Task.sleep(for: .milliseconds(700))
      try await expectEcho([[2]], socket)
      #expect(echo.connections == 1)
    }
  }

  @Test func `a frame beyond the limit ends the connection, and libzmq comes again`() async throws {
    try await withDealer(limits: ZMTPLimits(frameBytes: 1_000)) { socket, echo in
      try await expectEcho([[1]], socket)
      _ = try socket.send([Frame([UInt8](repeating: 7, count: 1_001))])
      try await eventually("the end of the connection") { echo.failure == .frameSize }
      // What libzmq takes before it has noticed goes down with the connection.
      var isBack = false
      for _ in 0..<50 where !isBack {
        isBack = try await exchange([[2]], socket, polls: 10) == [[2]]
      }
      #expect(isBack)
      #expect(echo.connections == 2)
    }
  }
}
