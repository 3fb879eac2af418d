import Foundation
import TestSupport
import Trials

/// A meeting of 101 attendees, and three other servers with the same number of clients. One client
/// sends data messages of 2 KiB, and all other clients receive the messages.
///
/// All servers send to the same clients (`Peers/crowd`) over loopback TCP. Carillon and
/// `libzmq-stored` store the messages. In `libzmq-stored`, a message passes through the same number
/// of processes as in Carillon, but these processes do no other work.
struct MessageBenchmarkMeeting {
  static let listeners = 100
  static let bytes = 2_048
  static let peers = ["libzmq-pub", "nats-server", stored]

  /// A peer that does only the minimum work of a server that stores each message before the
  /// delivery.
  static let stored = "libzmq-stored"

  /// The limits that a run raises, because the sender by far exceeds the default limits of a
  /// meeting.
  static let raisedOfMessaging = [
    "--data-messages-per-second", "1000000", "--data-message-burst", "1000000",
    "--attendee-flood-per-second", "1000000", "--attendee-flood-burst", "1000000",
    "--meeting-flood-per-second", "1000000", "--meeting-flood-burst", "1000000",
  ]
  private static let raisedOfGateway = [
    "--keep-alive-ms", "10000", "--client-budget-kib", "1048576", "--requests-per-second", "100000",
    "--request-burst", "1000000",
  ]

  /// Carillon's crowd, and then the crowds of ``peers`` in their order.
  let crowds: [Crowd]
  private let installation: Installation

  /// Runs the servers and their clients during `body`.
  static func hold<Result: Sendable>(
    _ options: MeasurementOptions, _ body: (MessageBenchmarkMeeting) async throws -> Result
  ) async throws -> Result {
    say("raised: \((raisedOfMessaging + raisedOfGateway).joined(separator: " "))")
    var result: Result?
    try await Installation.run(
      Installation.Options(messagingFlags: raisedOfMessaging, gatewayFlags: raisedOfGateway)
    ) { installation in
      let attendees = try await installation.makeAttendees(listeners + 1)
      let ours = try Crowd(
        options, of: installation.gateway, as: attendees, in: installation.directory, sending: bytes
      )
      defer { ours.end() }
      _ = try ours.join(outstanding: 8)
      result = try await withOthers(options, in: installation.directory) { others in
        try await body(MessageBenchmarkMeeting(crowds: [ours] + others, installation: installation))
      }
    }
    guard let result else { throw BenchError.missing("A result") }
    return result
  }

  private static func withOthers<Result: Sendable>(
    _ options: MeasurementOptions, in directory: String, _ body: ([Crowd]) async throws -> Result
  ) async throws -> Result {
    let ports = try (0..<5).map { _ in "\(try LocalSocket.freePort())" }
    let (fan, stored, nats) = (ports[0...1], ports[2...3], ports[4])
    func publisher(_ program: String, _ ports: ArraySlice<String>) -> [String] {
      ["\(options.peers)/\(program)"] + ports.map { "tcp://127.0.0.1:\($0)" } + ["\(bytes)", "2"]
    }
    let servers = [
      ("zmq_fan", publisher("zmq_fan", fan)),
      ("nats-server", ["nats-server", "--addr", "127.0.0.1", "--port", nats]),
      ("zmq_stored", publisher("zmq_stored", stored) + [directory]),
    ]
    return try await withPeers(servers, in: directory) { _ in
      let crowds = [
        try Crowd(options, ["sub"] + fan + ["\(listeners)"]),
        try Crowd(options, ["nats", nats, "\(listeners)", "\(bytes)"]),
        try Crowd(options, ["sub"] + stored + ["\(listeners)"]),
      ]
      defer { for crowd in crowds { crowd.end() } }
      return try await body(crowds)
    }
  }

  func commits() async throws -> CommitStatistics {
    try await CommitStatistics(at: installation.messagingPath("http"))
  }
}
