public import ArgumentParser
internal import Bus
internal import Ownership
public import ServiceHost
public import ServiceLifecycle
internal import ZeroMQ

/// The service `presence`, which owns the rosters of meetings.
///
/// The service answers requests at `<runtime-dir>/<instance>.rpc.sock`, and publishes events at
/// `<runtime-dir>/<instance>.events.sock`.
public struct PresenceCommand: ServiceCommand {
  @OptionGroup public var host: HostOptions

  @Option(help: "Maximum number of attendees in a meeting, 2-10000.")
  var maxAttendees = 250

  @OptionGroup var options: OwnerOptions

  @OptionGroup var cluster: ClusterOptions

  /// The purposes of the endpoints for other hosts, in the order of the ports.
  private static let purposes = ["rpc", "events"]

  public init() {}

  public func validate() throws {
    try cluster.checkRoom(for: Self.purposes)
    try Self.check(maxAttendees, 2...10_000, "--max-attendees")
  }

  /// The rules from the command-line options.
  var rules: PresenceRules {
    PresenceRules(maxAttendees: maxAttendees, timing: options.timing)
  }

  public func makeServices(in host: Host) throws -> [any Service] {
    let context = try host.makeContext()
    let cluster = try cluster.open(for: Self.purposes, in: host, context)
    let configuration = PresenceConfiguration(
      instance: host.instance, requests: try .ipc(host.ipcPath("rpc")),
      events: try .ipc(host.ipcPath("events")), rules: rules,
      replayEvents: options.recovery.replayEvents, reach: cluster.reach)
    let presence = PresenceService(
      configuration,
      registry: host.makeRegistry(),
      in: context, on: SocketThread(name: "presence"), metrics: host.metrics,
      logger: host.logger)
    host.health.register("bus") { try await presence.checkIsServing() }
    return cluster.services + [presence]
  }
}
