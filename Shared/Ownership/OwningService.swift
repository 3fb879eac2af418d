public import Bus
internal import Logging
public import MeetingModel
internal import ServiceHost
public import ServiceLifecycle
public import Wire
internal import ZeroMQ

/// A service that owns the state of meetings.
///
/// The service is an actor on the thread of its ``owner``. The protocol's default methods do the
/// common work of all owners: registration, opening with a new term, heartbeats, answers, draining
/// and closing. A ``DecisionCoreService`` is a service that delegates its decisions to a value.
///
/// While other instances exist, an instance that stalls for longer than its lease steps down. The
/// instance then drops its state, and restarts with a new term.
///
/// An instance that cannot reach the registry for longer than its lease also steps down, with one
/// exception. If all gateways are live and know no other owner, the instance continues. In this
/// case, no other instance can reach the registry, so no other instance takes over this instance's
/// meetings.
public protocol OwningService: Actor, Service {
  /// The parts that all owners share. The service makes this object in its initialiser and never
  /// replaces it.
  var owner: MeetingOwner { get }

  /// Prepares the service before its instance is registered, for example by reading a store.
  func prepare() async throws

  /// Starts the owner's current term: makes new state, and serves requests through
  /// ``MeetingOwner/open()``.
  func open() throws

  /// Does all work of the service except answering requests. Returns when ``drain()`` has been
  /// called and this work is done.
  ///
  /// A service without such work returns immediately. An error ends the service.
  func work() async throws

  /// Called before each heartbeat to the registry.
  func beat()

  /// The number of meetings reported to the registry.
  var meetingCount: Int { get }

  /// Updates which meetings the instance owns. Called after each heartbeat.
  func take(_ share: OwnedMeetings)

  /// Reads the registry. Called after each heartbeat. The caller logs an error.
  func lookAround() async throws

  /// Returns whether all these gateways are live, and whether every gateway that reports a set of
  /// owners knows the same set as this owner.
  ///
  /// If this method returns `false`, an instance that cannot reach the registry steps down.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool

  /// Subtracts a stall of the process from every measured silence.
  func excuseSilence(of stall: Duration)

  /// Rejects new work and finishes accepted work.
  func drain() async

  /// Closes everything that ``open()`` made, except the owner's sockets.
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

  /// Throws an error if the owner does not serve requests, or if it is about to start a new term. A
  /// health check calls this method on the socket thread, so the check fails if that thread hangs.
  public func checkIsServing() throws { try owner.checkIsServing() }

  /// The owner's current term.
  public var term: UInt64 { owner.term }

  // MARK: Requests

  /// Logs a step of the session that a call concerns.
  public func note<Reply>(
    _ step: String, of session: SessionID, as participant: ParticipantID? = nil,
    in meeting: MeetingID?, _ call: Call<Reply>
  ) {
    owner.logger.step(
      "\(step)",
      of: SessionLabel(
        session, of: participant, in: meeting, traceparent: call.header.traceparent))
  }

  /// Runs `body`. If `body` throws an error, answers the call with this error.
  ///
  /// If `body` throws no error, `body` itself answers the call, now or later.
  public func attempt<Reply>(_ call: Call<Reply>, _ body: () throws -> Void) {
    do {
      try owner.requireTerm(call.header.term)
      try body()
    } catch {
      call.fail(owner.refusal(error))
    }
  }

  /// Answers a call with the result or the error of `body`.
  public func answer<Reply>(_ call: Call<Reply>, _ body: () throws -> Reply) {
    attempt(call) { call.reply(try body()) }
  }

  /// Runs `body`. If `body` throws an error, ends the stream with this error.
  ///
  /// If `body` throws no error, this method leaves the stream open.
  public func attempt<Item>(_ stream: ServerStream<Item>, _ body: () throws -> Void) {
    do {
      try owner.requireTerm(stream.header.term)
      try body()
    } catch {
      stream.end(owner.refusal(error))
    }
  }

  /// Returns the rejected sessions of an announcement, for the reply to the announcing gateway.
  /// Counts and logs each rejected session.
  ///
  /// - Parameters:
  ///   - part: The page, with its invalid entries.
  ///   - others: Further rejected sessions, whose entries were valid.
  public func refusals<Session, Reason>(
    of part: SessionAnnouncementPage<Session>, and others: [RejectedSessionAnnouncement<Reason>]
  ) -> [V1.RefusedSession] {
    let all = part.refused + others.map { ($0.id.bytes, $0.reason) }
    return all.map { session, reason in
      V1.RefusedSession(sessionID: session, status: V1.Status(owner.refusal(reason)))
    }
  }

  /// Returns the valid entries of a report. Counts, logs and ignores the invalid entries.
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

  /// Subtracts stalls of this process from every measured silence.
  ///
  /// Call this method before any decision about the silence of gateways or clients. This method
  /// also runs twice a second, and before each decision of a ``DecisionCoreService``.
  public func listenBeforeJudging() {
    let stall = owner.lookForStall()
    if stall > .zero { excuseSilence(of: stall) }
  }

  // MARK: Running

  /// Registers the instance, and serves until somebody asks the process to stop. Then finishes
  /// accepted work and releases the instance's name.
  public func run() async throws {
    defer { owner.thread.stop() }
    var announcement = owner.place.announcement
    repeat {
      announcement.knownTerm = owner.termToPass ?? 0
      owner.termToPass = nil
      try await live(as: announcement)
    } while owner.termToPass != nil
  }

  /// Runs one term, from the registration of the instance to the end of the term.
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

  /// Prepares the service and registers the instance, once the stores are reachable.
  ///
  /// - Returns: The registration, or `nil` if somebody asks the process to stop before the
  ///   registration.
  private func registered(
    _ announcement: InstanceAnnouncement
  ) async throws -> (any InstanceRegistration)? {
    var isTold = false
    while !Task.isShuttingDownGracefully {
      do {
        try await prepare()
        return try await owner.registry.registered(announcement)
      } catch  where isAway(error) {
        if !isTold {
          owner.logger.warning(
            "The store does not answer; the service starts when the store answers",
            metadata: [LogMetadataKey.error: "\(error)"])
        }
        isTold = true
        try await Task.sleep(for: owner.beatInterval)
      }
    }
    return nil
  }

  /// Returns whether the service should wait because a store is unreachable for now.
  ///
  /// If a store is missing at the first start, the service does not wait, because the operator must
  /// fix the fault. The registry of several machines is an exception: the service always waits for
  /// this registry.
  private func isAway(_ error: any Error) -> Bool {
    if let error = error as? InstanceRegistryError {
      guard case .storeIsAway = error else { return false }
      return true
    }
    return owner.term > 0 && (error as? any StatusConvertible)?.status.code == .unavailable
  }

  private func begin(_ term: UInt64) throws {
    owner.begin(term)
    try open()
    // The owner cancels the timer when the owner closes its sockets, so the service still exists
    // when the timer fires.
    owner.lookRegularly { self.listenBeforeJudging() }
    owner.logger.notice(
      "Serving",
      metadata: [
        LogMetadataKey.endpoint: "\(owner.place.requests)", LogMetadataKey.term: "\(term)",
      ])
  }

  private func serve(_ registration: any InstanceRegistration) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: owner.thread) { try await self.work() }
      group.addTask {
        await cancelWhenGracefulShutdown { await self.keepBeating(registration) }
        await self.drain()
      }
      try await group.waitForAll()
    }
  }

  /// Sends heartbeats until the task is cancelled or the term ends.
  ///
  /// Runs on the socket thread, so that the heartbeat stops if that thread hangs.
  private func keepBeating(_ registration: any InstanceRegistration) async {
    repeat {
      listenBeforeJudging()
      beat()
      let sent = owner.now
      if owner.hasRivals, !owner.lease.holds(at: sent) { owner.termToPass = owner.term }
      if owner.termToPass != nil {
        owner.logger.warning(
          "Gave up the ownership of meetings; starting again with a new term",
          metadata: [LogMetadataKey.term: "\(term)"])
        return
      }
      do {
        try await registration.beat(meetings: meetingCount)
        owner.lease.renew(sentAt: sent)
        try await share()
        try await lookAround()
      } catch {
        owner.logger.warning("The registry failed", metadata: [LogMetadataKey.error: "\(error)"])
        if isAway(error), isVouchedFor(by: owner.knownGateways) {
          owner.lease.renew(sentAt: sent)
        }
      }
    } while (try? await Task.sleep(for: owner.beatInterval)) != nil
  }

  /// Reads the service's instances, and updates the meetings of this instance.
  private func share() async throws {
    let place = owner.place
    let known = try await owner.registry.known(instancesOf: place.service)
    if known.contains(where: { $0.instance != place.instance }) { owner.hasRivals = true }
    if owner.hasRivals { owner.knownGateways = try await owner.registry.liveGateways() }
    let live = known.filter(\.isLive)
    // Without a live instance, the owner of a meeting is unknown, so no instance takes over
    // meetings.
    guard !live.isEmpty else { return }
    take(OwnedMeetings(of: place.instance, in: live.membership))
  }
}
