import Bus
import Foundation
import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Wire
import ZeroMQ

/// The rim of presence: requests in, the decision of ``Meetings``, events and answers out.
///
/// It lives on its own ``SocketThread`` and decides there inline; only the registry's files are
/// touched elsewhere. What a snapshot would show during recovery is not the whole roster, so joins
/// and snapshots are answered when it is over.
actor PresenceService {
  private let configuration: PresenceConfiguration
  private let registry: any Registry
  private let context: Context
  private let thread: SocketThread
  private let metrics: PresenceMetrics
  private let logger: Logger

  private var meetings: Meetings
  private var term: UInt64 = 0
  private var server: RequestServer?
  private var publisher: EventPublisher?
  private var streams: [MeetingID: EventStream] = [:]
  private var lastEpoch: UInt64 = 0
  private var timer: (id: TimerID, deadline: ContinuousClock.Instant)?
  private var waiting: [WaitingAnswer] = []

  /// By which connection each gateway called last.
  private var routes: [GatewayName: Route] = [:]

  /// An answer that needs the whole roster.
  private struct WaitingAnswer {
    let answer: () -> Void
    let refuse: (Status) -> Void
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Opens nothing yet: ``run()`` does.
  ///
  /// - Parameter thread: Its own; it stops with the service.
  init(
    _ configuration: PresenceConfiguration, registry: any Registry, in context: Context,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.registry = registry
    self.context = context
    self.thread = thread
    self.metrics = PresenceMetrics(in: metrics)
    self.logger = logger
    meetings = Meetings(rules: configuration.rules, at: .now)
  }

  isolated deinit { assert(server == nil, "Let the service's run end before releasing it.") }

  // MARK: Opening and closing

  private func open(term: UInt64) throws(ZeroMQError) {
    self.term = term
    meetings = Meetings(rules: configuration.rules, at: thread.now)
    let publisher = try EventPublisher(
      at: configuration.events, instance: configuration.instance, term: term, in: context,
      on: thread)
    self.publisher = publisher
    let server = try RequestServer(at: [configuration.requests], in: context, on: thread)
    server.observer = metrics.requests
    server.serve(presence: self)
    self.server = server
    arm()
    logger.notice(
      "Serving presence",
      metadata: [
        LogKey.endpoint: "\(configuration.requests)", LogKey.term: "\(term)",
      ])
  }

  private func close() {
    if let timer { thread.cancel(timer.id) }
    timer = nil
    server?.close()
    server = nil
    publisher?.close()
    publisher = nil
    streams = [:]
  }

  private func drain() async {
    refuseWaiting()
    await server?.drain()
  }

  /// Throws unless the socket thread turns over and serves.
  func checkIsServing() throws {
    guard server != nil else { throw Status(.unavailable, "Presence is not serving yet.") }
  }

  // MARK: Deciding

  /// Answers a call with what `body` throws, if it does; otherwise `body` has answered.
  private func attempt<Reply>(_ call: Call<Reply>, _ body: () throws -> Void) {
    do {
      let term = call.header.term
      guard term == 0 || term == self.term else {
        throw PresenceError.staleTerm(term, current: self.term)
      }
      try body()
    } catch {
      metrics.countRefusal(error)
      let status = Status(describing: error)
      logger.info(
        "Refused a request",
        metadata: [LogKey.status: "\(status.code)", LogKey.reason: "\(status.reason)"])
      call.fail(status)
    }
  }

  /// Lets the meetings decide and does what they want done, also if they refuse.
  private func decide<Answer>(
    _ body: (inout Meetings, ContinuousClock.Instant) throws -> Answer
  ) rethrows -> Answer {
    defer { carryOut() }
    return try body(&meetings, thread.now)
  }

  private func carryOut() {
    for effect in meetings.takeEffects() {
      switch effect {
      case .publish(let event, let meeting):
        metrics.count(event)
        stream(of: meeting)?.publish(event)
      case .publishLevels(let update, let meeting):
        metrics.countLevels()
        stream(of: meeting)?.publish(update)
      case .forget(let meeting):
        streams[meeting] = nil
        publisher?.endStream(of: meeting)
      }
    }
    if !meetings.isRecovering { answerWaiting() }
    arm()
  }

  private func arm() {
    guard let deadline = meetings.nextDeadline, server != nil else { return }
    if let timer {
      guard deadline < timer.deadline else { return }
      thread.cancel(timer.id)
    }
    let id = thread.schedule(after: deadline - ContinuousClock.now) { [unowned self] in wake() }
    timer = (id, deadline)
  }

  private func wake() {
    timer = nil
    decide { meetings, _ in meetings.advance(to: .now) }
  }

  // MARK: Answers that wait for recovery

  private func whenSettled<Reply>(
    _ call: Call<Reply>, _ answer: @escaping () -> Reply, ifGivenUp: (() -> Void)? = nil
  ) {
    guard meetings.isRecovering else { return call.reply(answer()) }
    call.onCancel = ifGivenUp
    waiting.append(
      WaitingAnswer(answer: { call.reply(answer()) }, refuse: { call.fail($0) }))
  }

  private func answerWaiting() {
    let ready = waiting
    waiting = []
    for waiting in ready { waiting.answer() }
  }

  private func refuseWaiting() {
    let refused = waiting
    waiting = []
    let status = Status(
      .unavailable, "This instance is stopping; try another or try again.", reason: .draining)
    for waiting in refused { waiting.refuse(status) }
  }

  // MARK: Streams

  /// The stream of a meeting, which begins when it is first needed. `nil` when closed.
  private func stream(of meeting: MeetingID) -> EventStream? {
    if let stream = streams[meeting] { return stream }
    let stream = publisher?.beginStream(
      of: meeting, name: "roster", topic: .roster(of: meeting), epoch: nextEpoch(),
      keeping: configuration.replayEvents)
    streams[meeting] = stream
    return stream
  }

  /// Microseconds since 1970, so that a restart has others, and rising, so that streams have.
  private func nextEpoch() -> UInt64 {
    lastEpoch = max(lastEpoch + 1, UInt64(Date().timeIntervalSince1970 * 1_000_000))
    return lastEpoch
  }

  private func snapshot(of meeting: MeetingID) -> V1.RosterSnapshot {
    let entries = meetings.roster(of: meeting)?.entries ?? []
    return stream(of: meeting)?.snapshot(of: entries) ?? V1.RosterSnapshot(meetingID: meeting.text)
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  private var wallClock: UInt64 { UInt64(Date().timeIntervalSince1970 * 1_000) }
}

// MARK: - Running

extension PresenceService: Service {
  /// Registers, serves until the process is asked to stop, finishes what was accepted, and gives
  /// the name back.
  func run() async throws {
    defer { thread.stop() }
    let registration = try registry.register(
      InstanceAnnouncement(
        service: "presence", instance: configuration.instance,
        endpoints: [
          "rpc": configuration.requests.text, "events": configuration.events.text,
        ]))
    defer {
      close()
      registration.withdraw()
    }
    try open(term: registration.term)
    await cancelWhenGracefulShutdown { [self] in await beat(registration) }
    await drain()
  }

  /// Says every second that the instance lives, until cancelled. Goes through the socket thread, so
  /// that the heartbeat stops when that hangs.
  private func beat(_ registration: any Registration) async {
    repeat {
      metrics.update(meetings, waitingRequests: waiting.count)
      let isRecovering = meetings.isRecovering
      do {
        let gateways = try await Self.beat(
          registration, listing: isRecovering ? registry : nil)
        if let gateways { decide { $0.expect(gateways, at: $1) } }
      } catch {
        logger.warning("The registry failed", metadata: [LogKey.error: "\(error)"])
      }
    } while (try? await Task.sleep(for: .seconds(1))) != nil
  }

  /// Away from the socket thread: files block.
  ///
  /// - Returns: The gateways that live, if a registry to ask is given.
  @concurrent private static func beat(
    _ registration: any Registration, listing registry: (any Registry)?
  ) async throws(RegistryError) -> Set<GatewayName>? {
    try registration.heartbeat()
    let gateways = try registry?.instances(of: "gateway").filter(\.isLive)
    return gateways.map { Set($0.compactMap { GatewayName($0.instance) }) }
  }
}

// MARK: - Requests

extension PresenceService: PresenceServer {
  func join(_ request: V1.JoinRequest, _ call: Call<V1.JoinReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      let (meeting, session) = try SessionDescription.read(request.session, joinedAt: wallClock)
      routes[gateway] = call.route
      let wasPresent = try decide { meetings, now in
        try meetings.join(
          session, in: meeting, through: gateway, run: request.gatewayRun,
          as: request.isResume ? .resume : .start, at: now)
      }
      whenSettled(call) { [self] in
        V1.JoinReply(roster: snapshot(of: meeting), wasPresent: wasPresent, term: term)
      } ifGivenUp: { [unowned self] in
        // The gateway does not know that the session is in; it may come back for it.
        decide { $0.detach(session.id, in: meeting, from: gateway, silentFor: .zero, at: $1) }
      }
    }
  }

  func leave(_ request: V1.LeaveRequest, _ call: Call<V1.LeaveReply>) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      decide { $0.leave(session, in: meeting, at: $1) }
      call.reply(V1.LeaveReply())
    }
  }

  func detach(_ request: V1.DetachRequest, _ call: Call<V1.DetachReply>) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      let gateway = routes.first { $0.value == call.route }?.key
      let silence = Duration.milliseconds(request.silentMs)
      decide { $0.detach(session, in: meeting, from: gateway, silentFor: silence, at: $1) }
      call.reply(V1.DetachReply())
    }
  }

  func setMuted(_ request: V1.SetMutedRequest, _ call: Call<V1.SetMutedReply>) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      try decide { try $0.setMuted(session, in: meeting, to: request.isMuted, at: $1) }
      call.reply(V1.SetMutedReply(isMuted: request.isMuted))
    }
  }

  func setMutedByOperator(
    _ request: V1.SetMutedByOperatorRequest, _ call: Call<V1.SetMutedReply>
  ) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      let attendee = try ParticipantID(request.attendeeID).attendee
      let isMuted = decide {
        $0.setMutedByOperator(attendee, in: meeting, to: request.isMuted, at: $1)
      }
      call.reply(V1.SetMutedReply(isMuted: isMuted ?? request.isMuted))
    }
  }

  func setCapabilities(
    _ request: V1.SetCapabilitiesRequest, _ call: Call<V1.SetCapabilitiesReply>
  ) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      let attendee = try ParticipantID(request.attendeeID).attendee
      let capabilities = try AttendeeCapabilities(request.capabilities)
      decide { $0.setCapabilities(attendee, in: meeting, to: capabilities, at: $1) }
      call.reply(V1.SetCapabilitiesReply())
    }
  }

  func endAttendee(_ request: V1.EndAttendeeRequest, _ call: Call<V1.EndAttendeeReply>) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      let attendee = try ParticipantID(request.attendeeID).attendee
      decide { $0.endAttendee(attendee, in: meeting, at: $1) }
      call.reply(V1.EndAttendeeReply())
    }
  }

  func endMeeting(_ request: V1.EndMeetingRequest, _ call: Call<V1.EndMeetingReply>) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      let status = request.status.flatMap { Status($0) } ?? .meetingDeleted
      decide { $0.endMeeting(meeting, with: status, at: $1) }
      call.reply(V1.EndMeetingReply())
    }
  }

  func snapshot(_ request: V1.SnapshotRequest, _ call: Call<V1.RosterSnapshot>) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      decide { $0.open(meeting, at: $1) }
      whenSettled(call) { [self] in snapshot(of: meeting) }
    }
  }

  func replay(_ request: V1.ReplayRequest, _ call: Call<V1.ReplayReply>) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      decide { $0.open(meeting, at: $1) }
      let events = stream(of: meeting)?.replay(
        epoch: request.epoch, after: request.afterSequence)
      if let events {
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: events))))
      } else {
        whenSettled(call) { [self] in
          V1.ReplayReply(outcome: .snapshot(snapshot(of: meeting)))
        }
      }
    }
  }

  func announce(_ request: V1.AnnounceRequest, _ call: Call<V1.AnnounceReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      let now = wallClock
      let sessions = try request.sessions.map {
        try SessionDescription.read($0, joinedAt: now)
      }
      routes[gateway] = call.route
      let over = decide {
        $0.announce(
          sessions, isLast: request.last, by: gateway, run: request.gatewayRun, at: $1)
      }
      call.reply(V1.AnnounceReply(unknownSessions: over.map(\.bytes), term: term))
    }
  }

  func gatewayAlive(_ request: V1.GatewayAliveRequest, _ call: Call<V1.GatewayAliveReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      routes[gateway] = call.route
      let isAsked = decide { $0.gatewayIsAlive(gateway, run: request.gatewayRun, at: $1) }
      call.reply(V1.GatewayAliveReply(term: term, wantsAnnouncement: isAsked))
    }
  }

  func reportLevels(_ request: V1.ReportLevelsRequest, _ call: Call<V1.ReportLevelsReply>) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      let reports = try request.levels.map { try LevelReport($0) }
      decide { $0.reportLevels(reports, in: meeting, at: $1) }
      call.reply(V1.ReportLevelsReply())
    }
  }

  func promote(_ request: V1.PromoteRequest, _ call: Call<V1.PromoteReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      _ = try MeetingID(request.replicaMeetingID)
      let (primary, session) = try SessionDescription.read(
        request.primary, id: request.sessionID, joinedAt: wallClock)
      routes[gateway] = call.route
      try decide { try $0.promote(session, in: primary, through: gateway, at: $1) }
      whenSettled(call) { [self] in
        V1.PromoteReply(roster: snapshot(of: primary))
      } ifGivenUp: { [unowned self] in
        decide { $0.demote(session.id, in: primary, as: .demoted, at: $1) }
      }
    }
  }

  func demote(_ request: V1.DemoteRequest, _ call: Call<V1.DemoteReply>) {
    attempt(call) {
      let primary = try MeetingID(request.primaryMeetingID)
      let session = try SessionID(wire: request.sessionID)
      decide { $0.demote(session, in: primary, as: Departure(request.reason), at: $1) }
      call.reply(V1.DemoteReply())
    }
  }

  func getLimits(_ request: V1.GetLimitsRequest, _ call: Call<V1.Limits>) {
    attempt(call) {
      let rules = configuration.rules
      let seconds = UInt32(clamping: rules.dropAfter.components.seconds)
      call.reply(
        V1.Limits(
          maxAttendees: UInt32(clamping: rules.maxAttendees), dropAfterSeconds: seconds,
          resumeSeconds: seconds))
    }
  }
}
