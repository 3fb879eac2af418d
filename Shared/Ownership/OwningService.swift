public import Bus
internal import Logging
public import MeetingModel
internal import ServiceHost
public import ServiceLifecycle
public import Wire
internal import ZeroMQ

/// A service that owns the state of meetings: what is common to the lives of all of them.
///
/// An actor on the thread of its ``owner``. It says what is particular to it; the rest follows:
/// registering, opening with the new term, beating, answering refusals, draining, closing. Services
/// that decide in a value are ``DecidingService``s.
///
/// One that stood still for longer than its lease, beside other instances, steps down: it forgets
/// all and begins again with a new term. So does one that cannot reach the registry for so long,
/// unless all gateways are heard and know of no other owner: then nobody can reach it, and nobody
/// takes over what is here.
public protocol OwningService: Actor, Service {
  /// What it has in common with the others. Made in its initialiser, and always the same.
  var owner: Owner { get }

  /// Gets ready before the instance is registered, for example by reading a store.
  func prepare() async throws

  /// Begins anew in the owner's present term: makes its state, and serves on ``Owner/open()``.
  func open() throws

  /// Works beside the requests until there is nothing left to do after ``drain()``; a service that
  /// has no such work returns at once. An error ends the service.
  func work() async throws

  /// Does what is due each time the instance says that it lives, before that is said.
  func beat()

  /// How many meetings it has, as the registry is told.
  var meetingCount: Int { get }

  /// Takes in which meetings belong to it, each time the instance has said that it lives.
  func take(_ share: MeetingShare)

  /// Looks around in the registry after the instance has said that it lives. An error is logged.
  func lookAround() async throws

  /// Whether all of these gateways are heard, and see no other owners than this one sees. Without
  /// them an instance that cannot reach the registry steps down.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool

  /// The process stood still so long: whoever's silence is counted is excused for that.
  func excuseSilence(of stall: Duration)

  /// Refuses new work and finishes what was accepted.
  func drain() async

  /// Closes what ``open()`` made beside the owner's sockets.
  func close()
}

extension OwningService {
  public func prepare() async throws {}
  public func work() async throws {}
  public func beat() {}
  public func lookAround() async throws {}
  public func excuseSilence(of stall: Duration) {}
  public func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { false }
  public func drain() async { await owner.drain() }
  public func close() {}

  /// Throws unless the socket thread turns over and serves.
  public func checkIsServing() throws { try owner.checkIsServing() }

  /// The owner's present term.
  public var term: UInt64 { owner.term }

  // MARK: Requests

  /// Logs a step of a session that a call is about.
  public func note<Reply>(
    _ step: String, of session: SessionID, as participant: ParticipantID? = nil,
    in meeting: MeetingID?, _ call: Call<Reply>
  ) {
    owner.logger.step(
      "\(step)",
      of: SessionLabel(
        session, of: participant, in: meeting, traceparent: call.header.traceparent))
  }

  /// Answers a call with what `body` throws, if it does; otherwise `body` has answered, or will.
  public func attempt<Reply>(_ call: Call<Reply>, _ body: () throws -> Void) {
    do {
      try owner.requireTerm(call.header.term)
      try body()
    } catch {
      call.fail(owner.refusal(error))
    }
  }

  /// Answers a call with what `body` gives or throws.
  public func answer<Reply>(_ call: Call<Reply>, _ body: () throws -> Reply) {
    attempt(call) { call.reply(try body()) }
  }

  /// Ends a stream with what `body` throws, if it does; otherwise `body` has taken it.
  public func attempt<Item>(_ stream: ServerStream<Item>, _ body: () throws -> Void) {
    do {
      try owner.requireTerm(stream.header.term)
      try body()
    } catch {
      stream.end(owner.refusal(error))
    }
  }

  /// The sessions of an announcement that are refused, as its gateway is told; each is counted and
  /// logged.
  ///
  /// - Parameters:
  ///   - part: With the entries that could not be read.
  ///   - others: Those that may not come in.
  public func refusals<Session, Reason>(
    of part: AnnouncementPage<Session>, and others: [RefusedSession<Reason>]
  ) -> [V1.RefusedSession] {
    let all = part.refused + others.map { ($0.id.bytes, $0.reason) }
    return all.map { session, reason in
      V1.RefusedSession(sessionID: session, status: V1.Status(owner.refusal(reason)))
    }
  }

  /// The entries of a report that can be read. Each of the others is counted and logged, and
  /// leaves no trace beside that.
  public func readable<Entry, Value>(
    _ entries: [Entry], _ read: (Entry) throws -> Value
  ) -> [Value] {
    entries.compactMap { entry in
      do {
        return try read(entry)
      } catch {
        _ = owner.refusal(error)
        return nil
      }
    }
  }

  // MARK: Stalls

  /// Excuses others for the time in which this process stood still. Call it before anybody's
  /// silence is judged: it is called twice a second in any case, and before each decision of a
  /// ``DecidingService``.
  public func listenBeforeJudging() {
    let stall = owner.lookForStall()
    if stall > .zero { excuseSilence(of: stall) }
  }

  // MARK: Running

  /// Registers, serves until the process is asked to stop, finishes what was accepted, and gives
  /// the name back.
  public func run() async throws {
    defer { owner.thread.stop() }
    var announcement = owner.place.announcement
    repeat {
      announcement.knownTerm = owner.termToPass ?? 0
      owner.termToPass = nil
      try await live(as: announcement)
    } while owner.termToPass != nil
  }

  /// One term, from its registration to its end.
  private func live(as announcement: InstanceAnnouncement) async throws {
    guard let registration = try await registered(announcement) else { return }
    let result: Result<Void, any Error>
    do {
      try begin(registration.term)
      try await serve(registration)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    close()
    owner.close()
    await registration.giveBack()
    try result.get()
  }

  /// Gets ready and registers, as soon as the stores answer.
  ///
  /// - Returns: `nil` if the process is asked to stop before.
  private func registered(
    _ announcement: InstanceAnnouncement
  ) async throws -> (any Registration)? {
    var isTold = false
    while !Task.isShuttingDownGracefully {
      do {
        try await prepare()
        return try await owner.registry.registered(announcement)
      } catch  where isAway(error) {
        if !isTold {
          owner.logger.warning("Waits for the store", metadata: [LogKey.error: "\(error)"])
        }
        isTold = true
        try await Task.sleep(for: owner.beatInterval)
      }
    }
    return nil
  }

  /// Whether a store is away that may come back. One that is not there at the first start is the
  /// operator's to look at, but the registry of several machines.
  private func isAway(_ error: any Error) -> Bool {
    if let error = error as? RegistryError {
      guard case .storeIsAway = error else { return false }
      return true
    }
    return owner.term > 0 && (error as? any StatusConvertible)?.status.code == .unavailable
  }

  private func begin(_ term: UInt64) throws {
    owner.begin(term)
    try open()
    // Its timer goes with the owner's sockets, while the service lives.
    owner.lookRegularly { self.listenBeforeJudging() }
    owner.logger.notice(
      "Serving",
      metadata: [LogKey.endpoint: "\(owner.place.requests)", LogKey.term: "\(term)"])
  }

  private func serve(_ registration: any Registration) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: owner.thread) { try await self.work() }
      group.addTask {
        await cancelWhenGracefulShutdown { await self.keepBeating(registration) }
        await self.drain()
      }
      try await group.waitForAll()
    }
  }

  /// Says regularly that the instance lives, until cancelled, or its term is over. Goes through the
  /// socket thread, so that the heartbeat stops when that hangs.
  private func keepBeating(_ registration: any Registration) async {
    repeat {
      listenBeforeJudging()
      beat()
      let sent = owner.now
      if owner.hasRivals, !owner.lease.holds(at: sent) { owner.termToPass = owner.term }
      if owner.termToPass != nil {
        owner.logger.warning("Steps down and begins again", metadata: [LogKey.term: "\(term)"])
        return
      }
      do {
        try await registration.beat(meetings: meetingCount)
        owner.lease.renew(sentAt: sent)
        try await share()
        try await lookAround()
      } catch {
        owner.logger.warning("The registry failed", metadata: [LogKey.error: "\(error)"])
        if isAway(error), isVouchedFor(by: owner.knownGateways) {
          owner.lease.renew(sentAt: sent)
        }
      }
    } while (try? await Task.sleep(for: owner.beatInterval)) != nil
  }

  /// Looks which instances there are, and which meetings belong to this one.
  private func share() async throws {
    let place = owner.place
    let known = try await owner.registry.known(instancesOf: place.service)
    if known.contains(where: { $0.instance != place.instance }) { owner.hasRivals = true }
    if owner.hasRivals { owner.knownGateways = try await owner.registry.liveGateways() }
    let live = known.filter(\.isLive)
    // Nobody lives: it cannot be told who owns what, and nobody takes anything over.
    guard !live.isEmpty else { return }
    take(MeetingShare(of: place.instance, in: live.membership))
  }
}
