public import ArgumentParser
internal import Bus
internal import Ownership
public import ServiceHost
public import ServiceLifecycle
internal import ZeroMQ

/// The service `transcription`, which transcribes meetings live.
///
/// The service answers requests at `<runtime-dir>/<instance>.rpc.sock`, and publishes events at
/// `<runtime-dir>/<instance>.events.sock`. Engines attach at
/// `<runtime-dir>/<instance>.engines.sock`.
public struct TranscriptionCommand: ServiceCommand {
  @OptionGroup public var host: HostOptions

  @Option(help: "Maximum number of attached engines, 1-1000.")
  var maxEngines = 64

  @Option(help: "Maximum seconds of a talker's speech that wait for an engine, 1-120.")
  var maxBacklogSeconds = 20

  @Option(
    help:
      "Seconds that the start of a transcription waits for an engine before it fails, 1-300.")
  var engineWaitSeconds = 5

  @Option(help: "Seconds after which an interrupted transcription fails, 1-3600.")
  var maxInterruptionSeconds = 60

  @Option(
    help:
      "Maximum seconds between an engine's reports, 1-60. Three missed reports detach the engine.")
  var engineReportSeconds = 2

  @OptionGroup var recovery: RecoveryOptions

  @OptionGroup var cluster: ClusterOptions

  /// The purposes of the endpoints for other hosts, in the order of the ports.
  private static let purposes = ["rpc", "events", "engines"]

  public init() {}

  public func validate() throws {
    try cluster.checkRoom(for: Self.purposes)
    try Self.check(maxEngines, 1...1_000, "--max-engines")
    try Self.check(maxBacklogSeconds, 1...120, "--max-backlog-seconds")
    try Self.check(engineWaitSeconds, 1...300, "--engine-wait-seconds")
    try Self.check(maxInterruptionSeconds, 1...3_600, "--max-interruption-seconds")
    try Self.check(engineReportSeconds, 1...60, "--engine-report-seconds")
  }

  /// The rules from the command-line options.
  var rules: TranscriptionRules {
    TranscriptionRules(
      maxEngines: maxEngines, maxBacklog: .seconds(maxBacklogSeconds),
      engineWait: .seconds(engineWaitSeconds), interruptionLimit: .seconds(maxInterruptionSeconds),
      reportInterval: .seconds(engineReportSeconds), recovery: recovery.duration)
  }

  public func makeServices(in host: Host) throws -> [any Service] {
    let context = try host.makeContext()
    let cluster = try cluster.open(for: Self.purposes, in: host, context)
    let configuration = TranscriptionConfiguration(
      instance: host.instance, requests: try .ipc(host.ipcPath("rpc")),
      events: try .ipc(host.ipcPath("events")), engines: try .ipc(host.ipcPath("engines")),
      rules: rules, replayEvents: recovery.replayEvents, reach: cluster.reach)
    let transcription = TranscriptionService(
      configuration,
      registry: host.makeRegistry(),
      in: context, on: SocketThread(name: "transcription"), metrics: host.metrics,
      logger: host.logger)
    host.health.register("bus") { try await transcription.checkIsServing() }
    return cluster.services + [transcription]
  }
}
