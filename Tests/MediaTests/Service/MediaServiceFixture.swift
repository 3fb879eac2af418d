import Bus
import Foundation
import Logging
import MeetingModel
import Ownership
import ServiceHost
import TestSupport
import Testing
import Trials
import Wire
import ZeroMQ

@testable import Media

/// Tests of whole services in real time. The tests run one at a time, because a machine has few
/// cores.
///
/// Where several time limits apply, the shortest limit is in force, so the nested suites have no
/// time limit.
@Suite(.serialized, .timeLimit(.minutes(5))) enum MediaServices {}

/// A media instance in a new directory, with a gateway, and with scripted presence and video-tiles.
struct MediaServiceFixture {
  let directory: String
  let metrics = MetricsRegistry()
  let gateway: MediaGateway
  let owners = ScriptedOwners()

  /// Media's thread, if media runs in this process.
  private let mediaThread = SocketThread(name: "media")

  /// The context and the thread for the clients' sockets.
  let context: ZMQContext
  let thread: SocketThread
  private let clients = AwaitableEntryList<MediaClient>()

  var registry: RuntimeDirectoryRegistry { RuntimeDirectoryRegistry(runtimeDirectory: directory) }

  fileprivate init(in directory: String) throws {
    self.directory = directory
    gateway = MediaGateway("gateway-a", run: 1)
    context = try ZMQContext()
    thread = SocketThread(name: "clients")
  }

  // MARK: Parts

  private func path(_ purpose: String) -> String { "\(directory)/media-a.\(purpose).sock" }

  /// Runs `body` with another gateway.
  func withGateway(
    _ name: String, run: UInt64 = 1, _ body: (MediaGateway) async throws -> Void
  ) async throws {
    let gateway = MediaGateway(name, run: run)
    try await gateway.open(
      requests: .ipc(path("rpc")), events: .ipc(path("events")), in: context)
    let result: Result<Void, any Error>
    do { result = .success(try await body(gateway)) } catch { result = .failure(error) }
    await gateway.close()
    try result.get()
  }

  /// Returns a connected client that has sent no ticket.
  func connect(_ guest: Guest, receiving limit: Int? = nil) async throws -> MediaClient {
    let client = try MediaClient(guest, on: thread)
    clients.append(client)
    try await client.open(at: .ipc(path("media")), in: context, receiving: limit)
    try await client.connections.wait(for: "the connection") { !$0.isEmpty }
    return client
  }

  /// Returns an admitted client that has sent its ticket.
  func join(
    _ guest: Guest, _ change: @Sendable (inout V1.AdmitRequest) -> Void = { _ in }
  ) async throws -> MediaClient {
    try await gateway.admit(guest, change)
    let client = try await connect(guest)
    try await client.show()
    return client
  }

  /// Blocks media's thread for `seconds` seconds, as if the process had been stopped.
  func standStill(for seconds: Double) async {
    await Task(executorPreference: mediaThread) { Self.stand(for: seconds) }.value
  }

  private static func stand(for seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

  // MARK: Metrics

  func counts(_ name: String) -> Int {
    for line in metrics.prometheusText().split(separator: "\n") where line.hasPrefix(name + " ") {
      return line.split(separator: " ").last.flatMap { Double($0) }.map { Int($0) } ?? 0
    }
    return 0
  }

  func dropped(_ reason: DropReason) -> Int {
    counts("carillon_media_dropped_packets_total{reason=\"\(reason.rawValue)\"}")
  }

  // MARK: Running

  fileprivate func running(
    _ rules: MediaRules, _ body: @Sendable () async throws -> Void
  ) async throws {
    let media = MediaService(
      MediaConfiguration(
        instance: "media-a", requests: try .ipc(path("rpc")), events: try .ipc(path("events")),
        packets: [try .ipc(path("media"))], advertised: try .ipc(path("media")), rules: rules),
      registry: registry, in: try ZMQContext(), on: mediaThread, metrics: metrics,
      logger: Logger(label: "media") { _ in SwiftLogNoOpLogHandler() })
    try await owners.open(in: directory, registry, context)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await media.run() }
      let result: Result<Void, any Error>
      do {
        try await gateway.open(
          requests: .ipc(path("rpc")), events: .ipc(path("events")), in: context)
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      await close()
      group.cancelAll()
      do { try await group.waitForAll() } catch { try result.get() }
      try result.get()
    }
  }

  /// Runs the test with the program `media` in a separate process.
  fileprivate func running(
    _ media: MediaProcess, _ body: @Sendable () async throws -> Void
  ) async throws {
    try await owners.open(in: directory, registry, context)
    let result: Result<Void, any Error>
    do {
      try await media.start()
      try await gateway.open(
        requests: .ipc(path("rpc")), events: .ipc(path("events")), in: context)
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    try await media.end()
    await close()
    try result.get()
  }

  private func close() async {
    for client in clients.entries { await client.close() }
    await gateway.close()
    await owners.close()
    thread.stop()
    thread.join()
  }
}

/// Runs media in a new directory.
func withMediaService(
  _ change: (inout MediaRules) -> Void = { _ in },
  _ body: @Sendable (MediaServiceFixture) async throws -> Void
) async throws {
  var rules = MediaRules()
  // The gateways of these tests rarely send heartbeats, and a busy machine delays heartbeats. So
  // media must wait long before media treats a gateway as dead.
  rules.gatewaySilence = .seconds(60)
  // Gateways echo a fence only in the tests of fences.
  rules.standstill = .seconds(3_600)
  change(&rules)
  try await withTemporaryDirectory { directory in
    let fixture = try MediaServiceFixture(in: directory)
    let chosen = rules
    try await fixture.running(chosen) { try await body(fixture) }
  }
}

/// Runs the program `media` in a new directory, so that the test can count the program's
/// allocations.
func withMediaProcess(
  _ body: @Sendable (MediaServiceFixture, MediaProcess) async throws -> Void
) async throws {
  try await withTemporaryDirectory { directory in
    let fixture = try MediaServiceFixture(in: directory)
    let media = try MediaProcess(in: directory, on: fixture)
    try await fixture.running(media) { try await body(fixture, media) }
  }
}
