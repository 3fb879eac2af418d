public import ArgumentParser
internal import Bus
internal import Ownership
public import ServiceHost
public import ServiceLifecycle
internal import ZeroMQ

/// The service `video-tiles`, which decides who publishes video, and which layer each receiver
/// gets.
///
/// The service answers requests at `<runtime-dir>/<instance>.rpc.sock`, and publishes events at
/// `<runtime-dir>/<instance>.events.sock`.
public struct VideoTilesCommand: ServiceCommand {
  @OptionGroup public var host: HostOptions

  @Option(help: "Maximum number of cameras in a meeting, 0-1000. Content shares do not count.")
  var maxCameras = 25

  @Option(help: "Maximum number of simultaneous content shares in a meeting, 0-100.")
  var maxContentShares = 2

  @Option(
    help:
      "Maximum number of cameras that an attendee receives without a subscription, 0-1000.")
  var maxVideosWithoutSubscription = 25

  @OptionGroup var options: OwnerOptions

  @OptionGroup var cluster: ClusterOptions

  /// The purposes of the endpoints for other hosts, in the order of the ports.
  private static let purposes = ["rpc", "events"]

  public init() {}

  public func validate() throws {
    try cluster.checkRoom(for: Self.purposes)
    try Self.check(maxCameras, 0...1_000, "--max-cameras")
    try Self.check(maxContentShares, 0...100, "--max-content-shares")
    try Self.check(maxVideosWithoutSubscription, 0...1_000, "--max-videos-without-subscription")
  }

  /// The rules from the command-line options.
  var rules: VideoTilesRules {
    VideoTilesRules(
      maxCameras: maxCameras, maxContentShares: maxContentShares,
      maxVideosWithoutSubscription: maxVideosWithoutSubscription, timing: options.timing)
  }

  public func makeServices(in host: Host) throws -> [any Service] {
    let context = try host.makeContext()
    let cluster = try cluster.open(for: Self.purposes, in: host, context)
    let configuration = VideoTilesConfiguration(
      instance: host.instance, requests: try .ipc(host.ipcPath("rpc")),
      events: try .ipc(host.ipcPath("events")), rules: rules,
      replayEvents: options.recovery.replayEvents, reach: cluster.reach)
    let tiles = VideoTilesService(
      configuration,
      registry: host.makeRegistry(),
      in: context, on: SocketThread(name: "video-tiles"), metrics: host.metrics,
      logger: host.logger)
    host.health.register("bus") { try await tiles.checkIsServing() }
    return cluster.services + [tiles]
  }
}
