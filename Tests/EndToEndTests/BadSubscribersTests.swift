import TestSupport
import Testing
import Trials
import Wire
import ZeroMQ

extension EndToEnd {
  /// Tests that send invalid bytes to the sockets that publish events.
  struct BadSubscribersTests {
    /// A service that publishes events.
    enum Publisher: String, CaseIterable, Sendable {
      case presence, messaging

      func path(in installation: Installation) -> String {
        switch self {
        case .presence: installation.presencePath("events")
        case .messaging: installation.messagingPath("events")
        }
      }

      func count(
        _ what: String, _ labels: [String: String], in installation: Installation
      ) async throws -> Int {
        let metrics =
          switch self {
          case .presence: try await installation.presenceMetrics()
          case .messaging: try await installation.messagingMetrics()
          }
        return metrics.sum("carillon_\(rawValue)_events_\(what)_total", labels)
      }
    }

    @Test(arguments: Publisher.allCases)
    func `a connection ends when it receives bytes that are not ZMTP`(publisher: Publisher)
      async throws
    {
      try await withNeighbours { meeting, _ in
        let installation = meeting.installation
        var random = SystemRandomNumberGenerator()
        for size in [1, 64, 1_000, 100_000] {
          let socket = try LocalSocket(connectedTo: publisher.path(in: installation))
          // The peer may close the connection before it has received all bytes.
          try? socket.send((0..<size).map { _ in random.next() })
        }
        try await eventually("the connections to be ended") {
          try await publisher.count("connections", ["event": "ended"], in: installation) >= 4
        }
      }
    }

    @Test(arguments: Publisher.allCases)
    func `a malformed subscription is counted, and a very long subscription ends the connection`(
      publisher: Publisher
    ) async throws {
      try await withNeighbours { meeting, _ in
        let installation = meeting.installation
        let endpoint = "ipc://" + publisher.path(in: installation)
        try await withSubscriber(installation, at: endpoint) { subscriber in
          for bytes in [[], [0], [0xff, 0xfe], Array("roster/x/".utf8)] {
            try await subscriber.subscribe(to: bytes)
          }
          try await eventually("the rubbish to be counted") {
            try await publisher.count("rejected", [:], in: installation) >= 4
          }
          let before = try await publisher.count(
            "connections", ["event": "ended"], in: installation)
          try await subscriber.subscribe(to: [UInt8](repeating: 65, count: 10_000))
          try await eventually("the connection to be ended") {
            try await publisher.count("connections", ["event": "ended"], in: installation) > before
          }
        }
      }
    }
  }
}

/// A subscriber whose topic may be any bytes.
private actor RawSubscriber {
  nonisolated let thread: SocketThread
  private var socket: Socket?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(on thread: SocketThread) { self.thread = thread }

  func connect(to url: String, in context: ZMQContext) throws {
    let socket = try Socket(.sub, in: context)
    try socket.set(.linger(.zero))
    try socket.connect(to: Endpoint(url))
    self.socket = consume socket
  }

  func subscribe(to topic: [UInt8]) throws { try socket?.subscribe(to: topic) }

  func close() { socket = nil }
}

private func withSubscriber(
  _ installation: Installation, at url: String, _ body: (RawSubscriber) async throws -> Void
) async throws {
  let subscriber = RawSubscriber(on: installation.thread)
  do {
    try await subscriber.connect(to: url, in: installation.context)
    try await body(subscriber)
  } catch {
    await subscriber.close()
    throw error
  }
  await subscriber.close()
}
