import Bus
import Logging
import MeetingModel
import OwnerTestSupport
import Ownership
import ServiceHost
import TestSupport
import Wire
import ZeroMQ

@testable import Transcription

/// A transcription instance in a new directory, with media and a gateway.
struct TranscriptionFixture {
  let directory: String
  let media: TestMedia
  let gateway: TestGateway
  let metrics = MetricsRegistry()
  var rules = TranscriptionRules()

  var registry: RuntimeDirectoryRegistry { RuntimeDirectoryRegistry(runtimeDirectory: directory) }

  func endpoint(_ name: String) throws -> Endpoint { try .ipc(directory + "/\(name).sock") }

  /// Returns the number of dropped results in the metrics.
  func dropped(_ reason: ResultDropReason) -> Int {
    let name =
      "carillon_transcription_dropped_results_total{reason=\"\(reason.rawValue)\"} "
    let line = metrics.prometheusText().split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
  }

  /// Runs transcription while `body` runs.
  func running<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let service = TranscriptionService(
      TranscriptionConfiguration(
        instance: "transcription-a", requests: try endpoint("rpc"),
        events: try endpoint("events"), engines: try endpoint("engines"), rules: rules),
      registry: registry, in: try ZMQContext(), on: SocketThread(name: "transcription"),
      metrics: metrics, logger: Logger(label: "transcription") { _ in SwiftLogNoOpLogHandler() })
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await service.run() }
      let result: Result
      do {
        try await gateway.follow()
        result = try await body()
      } catch {
        group.cancelAll()
        throw error
      }
      group.cancelAll()
      try await group.waitForAll()
      return result
    }
  }

  /// Runs `body` with an engine that is connected to this instance.
  func withEngine<Result: Sendable>(
    _ id: String = "engine-a", _ script: [ScriptedResult] = [], maxStreams: UInt32 = 10,
    credit: UInt32 = 100, attaches: Bool = true, _ body: (TestEngine) async throws -> Result
  ) async throws -> Result {
    let engine = TestEngine(id, script)
    try await engine.open(try endpoint("engines"))
    do {
      if attaches { try await engine.attach(maxStreams: maxStreams, credit: credit) }
      let result = try await body(engine)
      await engine.close()
      return result
    } catch {
      await engine.close()
      throw error
    }
  }
}

/// Makes a directory, media and a gateway for transcription, without starting transcription.
func withTranscriptionFixture<Result: Sendable>(
  _ rules: TranscriptionRules = TranscriptionRules(),
  _ body: @Sendable (TranscriptionFixture) async throws -> Result
) async throws -> Result {
  try await withTemporaryDirectory { directory in
    let fixture = TranscriptionFixture(
      directory: directory, media: TestMedia(), gateway: TestGateway(following: .transcripts),
      rules: rules)
    let registration = try fixture.registry.register(
      InstanceAnnouncement(
        service: "media", instance: "media-a",
        endpoints: [
          "rpc": try fixture.endpoint("media").text,
          "events": try fixture.endpoint("media-events").text,
        ]))
    defer { registration.withdraw() }
    try await fixture.media.open(try fixture.endpoint("media"))
    await fixture.media.beat(registration)
    try await fixture.gateway.open(
      requests: try fixture.endpoint("rpc"), events: try fixture.endpoint("events"))
    let result: Result
    do {
      result = try await body(fixture)
    } catch {
      await fixture.gateway.close()
      await fixture.media.close()
      throw error
    }
    await fixture.gateway.close()
    await fixture.media.close()
    return result
  }
}

/// Runs transcription in a new directory.
func withTranscription<Result: Sendable>(
  _ rules: TranscriptionRules = TranscriptionRules(),
  _ body: @Sendable (TranscriptionFixture) async throws -> Result
) async throws -> Result {
  try await withTranscriptionFixture(rules) { fixture in
    try await fixture.running { try await body(fixture) }
  }
}
