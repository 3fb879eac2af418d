public import ArgumentParser
internal import Bus
public import ServiceHost
public import ServiceLifecycle
internal import ZeroMQ

/// Runs the presence service: who is in which meeting.
///
/// It answers at `<runtime-dir>/<instance>.rpc.sock` and publishes at
/// `<runtime-dir>/<instance>.events.sock`.
public struct PresenceCommand: ServiceCommand {
  @OptionGroup public var host: HostOptions

  @Option(help: "Most attendees one meeting may hold, 2-10000.")
  var maxAttendees = 250

  @Option(help: "Seconds without contact after which an attendee is dropped, 1-300.")
  var dropAfterSeconds = 5

  @Option(help: "Seconds that attendees of a vanished gateway have to come back, 1-300.")
  var gatewayGraceSeconds = 15

  @Option(help: "Most seconds a start waits for the gateways to announce their sessions, 1-300.")
  var recoverySeconds = 15

  @Option(help: "Events of one meeting that stay for replay, 16-1000000.")
  var replayEvents = 1024

  public init() {}

  public func validate() throws {
    try Self.check(maxAttendees, 2...10_000, "--max-attendees")
    try Self.check(dropAfterSeconds, 1...300, "--drop-after-seconds")
    try Self.check(gatewayGraceSeconds, 1...300, "--gateway-grace-seconds")
    try Self.check(recoverySeconds, 1...300, "--recovery-seconds")
    try Self.check(replayEvents, 16...1_000_000, "--replay-events")
  }

  /// The numbers that the flags ask for.
  var rules: PresenceRules {
    PresenceRules(
      maxAttendees: maxAttendees, dropAfter: .seconds(dropAfterSeconds),
      gatewayGrace: .seconds(gatewayGraceSeconds), recovery: .seconds(recoverySeconds))
  }

  public func makeServices(in host: Host) throws -> [any Service] {
    let configuration = PresenceConfiguration(
      instance: host.instance, requests: try .ipc(host.ipcPath("rpc")),
      events: try .ipc(host.ipcPath("events")), rules: rules, replayEvents: replayEvents)
    let presence = PresenceService(
      configuration,
      registry: RuntimeDirectoryRegistry(runtimeDirectory: host.runtimeDirectory),
      in: try Context(), on: SocketThread(name: "presence"), metrics: host.metrics,
      logger: host.logger)
    host.health.register("bus") { try await presence.checkIsServing() }
    return [presence]
  }
}
