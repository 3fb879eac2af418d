import Bus
import Foundation
import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire
import ZeroMQ

@testable import Gateway

/// A client in this process. The link keeps everything that the client's session sends.
final class LocalLink: ClientLink {
  private(set) var events: [V1.SessionEvent.Event] = []
  private(set) var ends: [Status?] = []
  private(set) var items: [PackedSessionEvents] = []
  private var waiting: [PackedSessionEvents] = []
  var outcome = FlushOutcome.sent

  var isEmpty: Bool { waiting.isEmpty }
  var unacknowledged: Int { 0 }
  var isCongested = false

  func queue(_ item: PackedSessionEvents) { waiting.append(item) }

  func flush() -> FlushOutcome {
    guard outcome == .sent else { return outcome }
    for item in waiting {
      let items = try? V1.SessionEvents(packed: item.body)
      events += (items?.events ?? []).compactMap(\.event)
    }
    items += waiting
    waiting = []
    return .sent
  }

  func acknowledge(_ bytes: UInt64) {}

  func end(_ status: V1.Status?) { ends.append(status.flatMap { Status($0) }) }

  /// The names of the received events.
  var names: [String] { events.map { String("\($0)".prefix { $0 != "(" }) } }
}

/// A connector whose answers the test provides.
final class ScriptedPart: ServiceConnector {
  let need: SessionAdmissionTracker.Need
  let scripted: ScriptedFollowing
  var answer: Result<Bool, Status> = .success(true)
  private(set) var takenIn = 0
  private(set) var detached = 0

  /// For each detached session, the time at which the gateway last received something from the
  /// session.
  private(set) var lastHeard: [ContinuousClock.Instant] = []
  private(set) var released: [SessionEndInitiator] = []

  init(_ name: String, _ step: SessionAdmissionTracker.Step, stream: MeetingStream?) {
    let id = ServiceID(name: name)
    need = SessionAdmissionTracker.Need(
      service: id, step: step, timeout: .milliseconds(100), isEssential: step == .roster)
    scripted = ScriptedFollowing(id, stream)
  }

  var following: any OwnerFollowing { scripted }

  func need(of session: GatewayClientSession) -> SessionAdmissionTracker.Need? { need }

  func meeting(heardBy session: GatewayClientSession) -> MeetingID? { session.meeting }

  func takeIn(_ session: GatewayClientSession) async throws(Status) -> InitialDelivery {
    takenIn += 1
    let isComplete = try answer.get()
    return InitialDelivery(isComplete: isComplete) { [scripted] in
      let hub = scripted.hub(of: session.meeting)
      hub.place(session, at: StreamCursor(epoch: 1, sequence: 0))
    }
  }

  func detach(_ session: GatewayClientSession) {
    detached += 1
    lastHeard.append(session.lastHeard)
  }

  func release(_ session: GatewayClientSession, _ ending: SessionEndInitiator) {
    released.append(ending)
  }

  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID) {}
}

/// A substitute for an owner's follower. The substitute follows no owner.
final class ScriptedFollowing: OwnerFollowing, EventStreamHubHandler {
  let id: ServiceID
  let stream: MeetingStream?
  let isHeard = true
  var refusal: Status? { nil }
  let limits: V1.Limits? = nil
  private(set) var hubs: [MeetingID: StreamHub] = [:]

  init(_ id: ServiceID, _ stream: MeetingStream?) { (self.id, self.stream) = (id, stream) }

  func refresh(with live: [RegisteredInstance]) {}

  func tick() {}

  func announce(to instance: String) async throws(Status) {}

  func hub(of meeting: MeetingID) -> StreamHub {
    if let hub = hubs[meeting] { return hub }
    let hub = StreamHub(stream, of: meeting, for: self) { _ in }
    hubs[meeting] = hub
    return hub
  }

  func knownHub(of meeting: MeetingID) -> StreamHub? { hubs[meeting] }

  func forgetIfUnused(_ meeting: MeetingID) {
    if hubs[meeting]?.isUnused == true { hubs[meeting] = nil }
  }

  func close() {}
}

/// Sessions on a socket thread, with scripted services.
actor KeeperFixture {
  nonisolated let thread = SocketThread(name: "keeper")
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  private(set) lazy var messages = ScriptedPart("messaging", .beforeRoster, stream: .messages)
  private(set) lazy var roster = ScriptedPart("presence", .roster, stream: .roster)
  private(set) lazy var media = ScriptedPart("media", .afterRoster, stream: nil)
  private(set) lazy var keeper = GatewaySessionManager(
    [messages, roster, media], turns, in: context)
  /// Turns for one client at a time, while one other client may wait. The limit of 60 s is longer
  /// than any wait of a test, even on a slow machine.
  private(set) lazy var turns = AdmissionTurns(
    in: context,
    limits: AdmissionQueue.Limits(turns: 1, waiting: 1, longestWait: .seconds(60)))
  private(set) lazy var admission = SessionAdmission(keeper, turns, in: context)
  /// The number of requests that had to wait for a turn.
  var turnsAsked = 0
  private(set) lazy var coordinator = ScriptedCoordinator()
  private(set) lazy var context = GatewayContext(
    settings: settings, store: store, metrics: GatewayMetrics(MetricsRegistry()),
    logger: Logger(label: "keeper"), thread: thread, sockets: sockets, coordinator: coordinator)
  private let settings: GatewaySettings
  private let store: MeetingStore
  nonisolated let sockets: ZMQContext
  nonisolated let directory: String

  init(in directory: String) throws {
    self.directory = directory
    settings = GatewaySettings(
      instance: "gateway-a", clientEndpoints: [], operatorEndpoint: try .ipc(directory + "/o"),
      clientBudgetBytes: 1 << 20, keepAlive: .seconds(1), listening: .requests,
      requestRate: RateLimit(perSecond: 100, burst: 100), joinTimeout: .seconds(30),
      limits: InstallationLimits())
    store = try MeetingStore(
      path: directory + "/meetings.sqlite",
      tokens: JoinTokenIssuer(keyFile: directory + "/token.key"),
      limits: InstallationLimits())
    sockets = try ZMQContext()
  }

  /// Runs a test on the fixture's thread.
  func run(_ body: @Sendable (isolated KeeperFixture) async throws -> Void) async throws {
    coordinator.onEnd = { [unowned keeper] session, status, ending in
      keeper.end(session, status, ending)
    }
    try await body(self)
  }

  /// Lets every service answer until no request is open, and then flushes the session manager.
  func answerAll() async {
    while true {
      let asked = coordinator.takeAttempts()
      guard !asked.isEmpty else { break }
      for attempt in asked { await keeper.attempt(attempt) }
    }
    keeper.flush()
  }

  /// Opens a session of a new attendee. Without `meeting`, the session gets its own meeting.
  @discardableResult func open(
    _ link: LocalLink, in meeting: Meeting? = nil, resuming id: SessionID? = nil,
    after positions: [MeetingStream: StreamCursor] = [:], asContent: Bool = false,
    at route: RoutingID? = nil, inTurn turn: AdmissionQueue.Ticket? = nil
  ) throws -> GatewayClientSession {
    let meeting = try meeting ?? Meeting.sample()
    let attendee = try Attendee.sample(in: meeting.id)
    let request = try Self.request(
      of: attendee, resuming: id, after: positions, asContent: asContent)
    return keeper.open(request, meeting, attendee, link, at: route, in: turn)
  }

  /// Simulates that this process did not run for ten seconds.
  func standStill() {
    keeper.stalls = ProcessStallDetector(
      interval: .milliseconds(500), at: context.now - .seconds(10))
  }

  /// Returns a session in the state `opening`. No service has received this session yet.
  func opening(
    _ link: LocalLink, in meeting: Meeting? = nil, resuming id: SessionID? = nil,
    after positions: [MeetingStream: StreamCursor] = [:]
  ) throws -> GatewayClientSession {
    let meeting = try meeting ?? Meeting.sample()
    let attendee = try Attendee.sample(in: meeting.id)
    let request = try Self.request(of: attendee, resuming: id, after: positions, asContent: false)
    let session = GatewaySessionFactory(flushing: SessionsToFlush(), in: context).make(
      request, meeting, attendee, link, at: nil)
    context.sessions.insert(session)
    return session
  }

  private static func request(
    of attendee: Attendee, resuming id: SessionID?, after positions: [MeetingStream: StreamCursor],
    asContent: Bool
  ) throws -> SessionRequest {
    var start = V1.StartRequest(
      meetingID: attendee.meetingID.text,
      attendeeID: attendee.id.text + (asContent ? "#content" : ""), joinToken: "token")
    start.sessionID = id?.bytes ?? []
    start.positions = positions.map { $0.position(at: $1) }
    return try SessionRequest(start, traceparent: "")
  }
}

extension KeeperFixture {
  /// Creates a meeting in the store.
  func makeMeeting(_ name: String, primary: MeetingID? = nil) async throws -> Meeting {
    let request = MeetingRequest(
      token: try ClientRequestToken(name), fingerprint: RequestFingerprint(of: Array(name.utf8)),
      externalID: try ExternalMeetingID(name), region: try MediaRegion("us-east-1"),
      primaryID: primary, placementBase: "http://gateway.test")
    return try await context.store.createMeeting(request, at: 0).meeting
  }

  /// Creates an attendee in the store, and returns the attendee with its token.
  func makeAttendee(_ name: String, in meeting: Meeting) async throws -> IssuedAttendee {
    let request = AttendeeRequest(externalUserID: try ExternalUserID(name))
    return try await context.store.createAttendee(request, in: meeting.id, at: 0)
  }
}

func withKeeper(_ body: @Sendable (isolated KeeperFixture) async throws -> Void) async throws {
  let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: directory) }
  let fixture = try KeeperFixture(in: directory.path)
  try await fixture.run(body)
  fixture.thread.stop()
}
