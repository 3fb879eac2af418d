import Bus
import Foundation
import Trials
public import Wire
public import ZeroMQ

/// An installation of Carillon on this machine, in its own directory, with one instance of each
/// service and one or more gateways.
///
/// The installation runs the programs in the directory `CARILLON_BINARIES`. If this variable is not
/// set, the installation runs the programs next to the tests.
public final class Installation: Sendable {
  /// The processes to start, and their flags.
  public struct Options: Sendable {
    /// The gateways' instance names.
    public var gateways: [String]
    public var presenceFlags: [String]
    public var messagingFlags: [String]
    public var videoTilesFlags: [String]
    public var mediaFlags: [String]
    public var transcriptionFlags: [String]

    /// Whether the installation starts PocketSphinx, which takes time and memory.
    public var hasEngine: Bool
    public var gatewayFlags: [String]

    public init(
      gateways: [String] = ["gateway-a"], presenceFlags: [String] = [],
      messagingFlags: [String] = [], videoTilesFlags: [String] = [], mediaFlags: [String] = [],
      transcriptionFlags: [String] = [], hasEngine: Bool = false, gatewayFlags: [String] = []
    ) {
      self.gateways = gateways
      self.presenceFlags = presenceFlags
      self.messagingFlags = messagingFlags
      self.videoTilesFlags = videoTilesFlags
      self.mediaFlags = mediaFlags
      self.transcriptionFlags = transcriptionFlags
      self.hasEngine = hasEngine
      self.gatewayFlags = gatewayFlags
    }
  }

  /// A gateway and its addresses.
  public struct Gateway: Sendable {
    public let process: ServerProcess
    public let restPort: Int
    public let tcpPort: Int
    let socketBase: String

    /// Returns the path of one of the gateway's sockets: `client`, `operator` or `http`.
    public func path(_ name: String) -> String { "\(socketBase).\(name).sock" }

    /// The URL for clients on this machine.
    public var clientURL: String { "ipc://" + path("client") }
  }

  /// The keep-alive interval in milliseconds. The gateway regards a client as lost after three
  /// intervals of silence.
  public static let keepAliveMs = 400

  /// The time in seconds after which `presence` drops a lost client.
  public static let dropAfterSeconds = 2

  public let directory: String
  public let presence: ServerProcess
  public let messaging: ServerProcess
  public let videoTiles: ServerProcess
  public let media: ServerProcess
  public let transcription: ServerProcess

  /// PocketSphinx, which runs only with ``Options/hasEngine``.
  public let engine: ServerProcess
  private let hasEngine: Bool
  public let gateways: [Gateway]

  /// The context for sockets of the test. The context ends with the installation.
  public let context: ZMQContext

  /// The thread for sockets of the test. The thread ends with the installation.
  public let thread: SocketThread
  private let operators: [Operators]

  private init(_ options: Options, in directory: String) throws {
    let binaries = try Self.binaries()
    let thread = SocketThread(name: "installation")
    let context = try ZMQContext()
    let places = ["--runtime-dir", "\(directory)/run", "--data-dir", "\(directory)/data"]
    func process(_ service: String, _ instance: String, _ flags: [String]) -> ServerProcess {
      ServerProcess(
        instance, ["\(binaries)/\(service)", "--instance", instance] + places + flags,
        logPath: "\(directory)/\(instance).log", on: thread)
    }
    hasEngine = options.hasEngine
    self.directory = directory
    (self.thread, self.context) = (thread, context)
    presence = process(
      "presence", "presence-a",
      ["--drop-after-seconds", "\(Self.dropAfterSeconds)", "--gateway-grace-seconds", "4"]
        + options.presenceFlags)
    messaging = process("messaging", "messaging-a", options.messagingFlags)
    videoTiles = process(
      "video-tiles", "video-tiles-a",
      ["--drop-after-seconds", "\(Self.dropAfterSeconds)", "--gateway-grace-seconds", "4"]
        + options.videoTilesFlags)
    media = process(
      "media", "media-a", ["--gateway-grace-seconds", "4"] + options.mediaFlags)
    transcription = process("transcription", "transcription-a", options.transcriptionFlags)
    engine = process("carillon-pocketsphinx", "pocketsphinx-a", [])
    gateways = try options.gateways.map { instance in
      let (rest, tcp) = (try PortRange.freePort(), try PortRange.freePort())
      let flags = [
        "--rest-port", "\(rest)", "--listen-tcp", "127.0.0.1:\(tcp)", "--allow-unsigned",
        "--keep-alive-ms", "\(Self.keepAliveMs)",
      ]
      return Gateway(
        process: process("gateway", instance, flags + options.gatewayFlags), restPort: rest,
        tcpPort: tcp, socketBase: "\(directory)/run/\(instance)")
    }
    operators = gateways.map { Operators($0.path("operator"), in: context, on: thread) }
  }

  /// The first gateway.
  public var gateway: Gateway { gateways[0] }

  /// Returns the path of one of the sockets of `presence`: `rpc`, `events` or `http`.
  public func presencePath(_ name: String) -> String { "\(directory)/run/presence-a.\(name).sock" }

  /// Returns the path of one of the sockets of `messaging`: `rpc`, `events` or `http`.
  public func messagingPath(_ name: String) -> String {
    "\(directory)/run/messaging-a.\(name).sock"
  }

  /// Returns the path of one of the sockets of `media`: `rpc`, `events`, `media` or `http`.
  public func mediaPath(_ name: String) -> String { "\(directory)/run/media-a.\(name).sock" }

  // MARK: Processes

  /// Waits until `/readyz` of every process returns 200.
  public func becomeReady() async throws {
    try await becomeReady(presence, presencePath("http"))
    try await becomeReady(messaging, messagingPath("http"))
    try await becomeReady(videoTiles, "\(directory)/run/video-tiles-a.http.sock")
    try await becomeReady(media, mediaPath("http"))
    try await becomeReady(transcription, "\(directory)/run/transcription-a.http.sock")
    if hasEngine { try await becomeReady(engine, "\(directory)/run/pocketsphinx-a.http.sock") }
    for gateway in gateways { try await becomeReady(gateway.process, gateway.path("http")) }
  }

  private func becomeReady(_ process: ServerProcess, _ path: String) async throws {
    try await eventually("\(process.name) to be ready", within: .seconds(20)) {
      guard process.isRunning else { throw Failure.ended(process.name) }
      return (try? await LocalHTTP.ask("GET", "/readyz", at: .unixSocket(path: path)))?.status
        == 200
    }
  }

  /// Returns the metrics of `presence`.
  public func presenceMetrics() async throws -> MetricsText {
    try await metrics(presencePath("http"))
  }

  /// Returns the metrics of `messaging`.
  public func messagingMetrics() async throws -> MetricsText {
    try await metrics(messagingPath("http"))
  }

  /// Returns the metrics of `media`.
  public func mediaMetrics() async throws -> MetricsText { try await metrics(mediaPath("http")) }

  /// Returns the metrics of a gateway; `nil` stands for the first gateway.
  public func metrics(of gateway: Gateway? = nil) async throws -> MetricsText {
    try await metrics((gateway ?? self.gateway).path("http"))
  }

  private func metrics(_ path: String) async throws -> MetricsText {
    MetricsText(try await LocalHTTP.ask("GET", "/metrics", at: .unixSocket(path: path)).body)
  }

  private var processes: [ServerProcess] {
    [presence, messaging, videoTiles, media, transcription] + (hasEngine ? [engine] : [])
      + gateways.map(\.process)
  }

  /// The output of all processes.
  public var logs: String {
    processes.map { "== \($0.name)\n\($0.log)" }.joined(
      separator: "\n")
  }

  // MARK: Operators

  /// Sends a request to the operator endpoint of a gateway.
  public func ask<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, of gateway: Int = 0
  ) async throws -> Reply {
    try await operators[gateway].ask(method, request)
  }

  public func createMeeting() async throws -> V1.MeetingRecord {
    try await ask(V1.OperatorMethods.createMeeting, V1.CreateMeetingRequest())
  }

  /// Creates a replica of a meeting.
  public func createReplica(
    of primary: V1.MeetingRecord, maxAttendees: Int = 0
  ) async throws -> V1.MeetingRecord {
    try await ask(
      V1.OperatorMethods.createMeeting,
      V1.CreateMeetingRequest(
        maxAttendees: UInt32(maxAttendees), primaryMeetingID: primary.meetingID))
  }

  public func createAttendee(
    _ name: String, in meeting: V1.MeetingRecord
  ) async throws -> V1.AttendeeRecord {
    let request = V1.CreateAttendeeRequest(
      meetingID: meeting.meetingID, externalUserID: name, capabilities: nil)
    return try await ask(V1.OperatorMethods.createAttendee, request)
  }

  public func deleteMeeting(_ meeting: V1.MeetingRecord) async throws {
    _ = try await ask(
      V1.OperatorMethods.deleteMeeting, V1.DeleteMeetingRequest(meetingID: meeting.meetingID))
  }

  public func deleteAttendee(_ attendee: V1.AttendeeRecord) async throws {
    let request = V1.DeleteAttendeeRequest(
      meetingID: attendee.meetingID, attendeeID: attendee.attendeeID)
    _ = try await ask(V1.OperatorMethods.deleteAttendee, request)
  }

  /// Sends a gateway the request to end a replica attendee's promotion.
  ///
  /// - Parameter attendee: The attendee of the primary meeting whose credentials promoted the
  ///   replica attendee.
  /// - Returns: Whether there was a promotion to end.
  public func demote(_ attendee: V1.AttendeeRecord, by gateway: Int = 0) async throws -> Bool {
    let request = V1.DemoteAttendeeRequest(
      meetingID: attendee.meetingID, attendeeID: attendee.attendeeID)
    return try await ask(V1.OperatorMethods.demoteAttendee, request, of: gateway).wasPromoted
  }

  public func mute(_ attendee: V1.AttendeeRecord, _ isMuted: Bool = true) async throws {
    let request = V1.SetMutedByOperatorRequest(
      meetingID: attendee.meetingID, attendeeID: attendee.attendeeID, isMuted: isMuted)
    _ = try await ask(V1.OperatorMethods.setMutedByOperator, request)
  }

  /// Returns a meeting's roster from `presence`.
  public func roster(of meeting: V1.MeetingRecord) async throws -> V1.RosterSnapshot {
    try await ask(
      V1.OperatorMethods.getRoster, V1.GetRosterRequest(meetingID: meeting.meetingID))
  }

  // MARK: Starting and ending

  /// Starts an installation, waits until the installation is ready, runs `body` and stops all
  /// processes.
  ///
  /// If `body` throws, the installation prints the output of the processes.
  public static func run(
    _ options: Options = Options(), _ body: (Installation) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let installation = try Installation(options, in: directory)
      do {
        try await installation.start()
        try await body(installation)
      } catch {
        FileHandle.standardError.write(Data("\(installation.logs)\n".utf8))
        await installation.end()
        throw error
      }
      await installation.end()
    }
  }

  private func start() async throws {
    try await presence.start()
    try await messaging.start()
    try await videoTiles.start()
    try await media.start()
    try await transcription.start()
    if hasEngine { try await engine.start() }
    for gateway in gateways { try await gateway.process.start() }
    try await becomeReady()
  }

  private func end() async {
    for operators in operators { await operators.close() }
    for process in processes { try? await process.kill() }
    thread.stop()
    thread.join()
  }

  /// Returns the directory of the services' programs.
  public static func binaries() throws -> String {
    if let named = ProcessInfo.processInfo.environment["CARILLON_BINARIES"] { return named }
    // The programs are next to the test program. If a runner in another directory loads the tests,
    // the last candidate finds the programs, because the working directory is the package.
    let beside = Bundle.main.executableURL?.deletingLastPathComponent().path ?? ""
    let arguments = CommandLine.arguments.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().path
    }
    let candidates = [beside] + arguments + [".build/debug"]
    for candidate in candidates
    where FileManager.default.isExecutableFile(atPath: "\(candidate)/gateway") {
      return candidate
    }
    throw Failure.noBinaries(candidates)
  }

  enum Failure: Error {
    case ended(String)
    case noBinaries([String])
  }
}

/// The operator connection to one gateway. The first use opens the connection.
private actor Operators {
  private nonisolated let thread: SocketThread
  private let path: String
  private let context: ZMQContext
  private var channel: RequestChannel?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ path: String, in context: ZMQContext, on thread: SocketThread) {
    (self.path, self.context, self.thread) = (path, context, thread)
  }

  func ask<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async throws -> Reply {
    let channel = try channel ?? RequestChannel(to: .ipc(path), in: context, on: thread)
    self.channel = channel
    return try await channel.call(method, request, CallOptions(timeout: .seconds(25)))
  }

  func close() {
    channel?.close()
    channel = nil
  }
}
