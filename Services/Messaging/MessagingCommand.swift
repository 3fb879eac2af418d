public import ArgumentParser
internal import Bus
internal import MeetingModel
internal import Ownership
public import ServiceHost
public import ServiceLifecycle
internal import Storage
internal import ZeroMQ

/// The service `messaging`, which keeps each meeting's log of data messages.
///
/// The service answers requests at `<runtime-dir>/<instance>.rpc.sock`, and publishes events at
/// `<runtime-dir>/<instance>.events.sock`. It stores messages in `<data-dir>/messages.sqlite`. With
/// `--store`, the service stores messages in the schema `carillon_messages` of that store instead.
public struct MessagingCommand: ServiceCommand {
  @OptionGroup public var host: HostOptions

  @Option(help: "Maximum size of a data message in bytes, 1-32768.")
  var dataMessageBytes = 2048

  @Option(help: "Maximum number of a meeting's data messages that a late joiner receives, 1-16384.")
  var keptDataMessages = 1024

  @Option(help: "Maximum lifetime of a data message for late joiners, in milliseconds, 1-86400000.")
  var dataMessageLifetimeMs = 300_000

  @Option(help: "Seconds for which each message is kept for clients that resume, 1-3600.")
  var resumeSeconds = 180

  @Option(help: "Data messages per second of a meeting, 1-1000000. Further messages are throttled.")
  var dataMessagesPerSecond = 100

  @Option(help: "Burst of data messages of a meeting before they are throttled, 1-1000000.")
  var dataMessageBurst = 200

  @Option(
    help: "Data messages per second of an attendee, 1-1000000. A higher rate ends the session.")
  var attendeeFloodPerSecond = 200

  @Option(help: "Burst of data messages of an attendee before the session ends, 1-1000000.")
  var attendeeFloodBurst = 2_000

  @Option(
    help:
      """
      Data messages per second of a meeting, 1-1000000. A higher rate ends the sender's session.
      """)
  var meetingFloodPerSecond = 500

  @Option(help: "Burst of data messages of a meeting before the sender's session ends, 1-1000000.")
  var meetingFloodBurst = 10_000

  @Option(help: "Seconds after which an unused log of messages is deleted, 86400-31536000.")
  var idleMessageLogSeconds = 86_400

  @OptionGroup var cluster: ClusterOptions

  /// The purposes of the endpoints for other hosts, in the order of the ports.
  private static let purposes = ["rpc", "events"]

  public init() {}

  public func validate() throws {
    try cluster.checkRoom(for: Self.purposes)
    try Self.check(dataMessageBytes, 1...32_768, "--data-message-bytes")
    try Self.check(keptDataMessages, 1...16_384, "--kept-data-messages")
    try Self.check(dataMessageLifetimeMs, 1...86_400_000, "--data-message-lifetime-ms")
    try Self.check(resumeSeconds, 1...3_600, "--resume-seconds")
    let rate = 1...1_000_000
    try Self.check(dataMessagesPerSecond, rate, "--data-messages-per-second")
    try Self.check(dataMessageBurst, rate, "--data-message-burst")
    try Self.check(attendeeFloodPerSecond, rate, "--attendee-flood-per-second")
    try Self.check(attendeeFloodBurst, rate, "--attendee-flood-burst")
    try Self.check(meetingFloodPerSecond, rate, "--meeting-flood-per-second")
    try Self.check(meetingFloodBurst, rate, "--meeting-flood-burst")
    try Self.check(idleMessageLogSeconds, 86_400...31_536_000, "--idle-message-log-seconds")
  }

  /// The rules from the command-line options.
  var rules: MessagingRules {
    MessagingRules(
      maxDataBytes: dataMessageBytes, maxLifetimeMs: UInt32(dataMessageLifetimeMs),
      maxKept: keptDataMessages, resumeWindowMs: UInt64(resumeSeconds) * 1_000,
      rate: RateLimit(perSecond: dataMessagesPerSecond, burst: dataMessageBurst),
      attendeeFlood: RateLimit(perSecond: attendeeFloodPerSecond, burst: attendeeFloodBurst),
      meetingFlood: RateLimit(perSecond: meetingFloodPerSecond, burst: meetingFloodBurst),
      idleRetentionMs: UInt64(idleMessageLogSeconds) * 1_000)
  }

  public func makeServices(in host: Host) throws -> [any Service] {
    let context = try host.makeContext()
    let cluster = try cluster.open(for: Self.purposes, in: host, context)
    let configuration = MessagingConfiguration(
      instance: host.instance, requests: try .ipc(host.ipcPath("rpc")),
      events: try .ipc(host.ipcPath("events")), rules: rules, reach: cluster.reach)
    let store = try MessagesStore(
      in: host.store.map(StoreLocation.postgresql) ?? .directory(host.makeDataDirectory()))
    let messaging = MessagingService(
      configuration, store: store,
      registry: host.makeRegistry(),
      in: context, on: SocketThread(name: "messaging"), metrics: host.metrics,
      logger: host.logger)
    host.health.register("bus") { try await messaging.checkIsServing() }
    host.health.register("storage") { try await messaging.checkStorage() }
    return cluster.services + [messaging]
  }
}
