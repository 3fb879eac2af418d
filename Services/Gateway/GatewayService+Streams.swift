import Bus
import MeetingModel
import ServiceHost
import Wire
import ZeroMQ

// Presence's streams, and what becomes of them when presence restarts.
extension GatewayService {
  func presenceHandlers() -> ServiceLink<PresenceClient>.Handlers {
    .init(
      onEvent: { [unowned self] event in assumeIsolated { $0.route(event) } },
      onPositions: { [unowned self] positions in
        assumeIsolated { gateway in
          for position in positions { gateway.observe(position) }
        }
      },
      onNewTerm: { [unowned self] instance in
        assumeIsolated { gateway in
          gateway.announce(to: instance)
          gateway.learnPresenceLimits(from: instance)
        }
      },
      onSilence: { [unowned self] in assumeIsolated { $0.catchUpRosters() } },
      onMalformed: { [metrics] in metrics.malformedEvents.increment() })
  }

  /// An event from presence.
  private func route(_ event: ReceivedEvent) {
    guard let id = try? MeetingID(event.header.meetingID), let hub = rosters[id] else { return }
    hub.follower.arrive(event.header, event.body)
  }

  private func observe(_ position: V1.MeetingPosition) {
    guard let id = try? MeetingID(position.meetingID) else { return }
    rosters[id]?.follower.observe(position)
  }

  private func catchUpRosters() {
    for hub in rosters.values { hub.follower.catchUp() }
  }

  /// The roster of a meeting, followed from now on.
  func rosterHub(for meeting: MeetingID) -> RosterHub {
    if let hub = rosters[meeting] { return hub }
    let hub = RosterHub(meeting)
    hub.follower.onEvent = { [unowned self] header, body in
      assumeIsolated { $0.take(header, body, of: meeting) }
    }
    hub.follower.onCatchUp = { [unowned self] epoch, sequence in
      assumeIsolated { $0.catchUp(meeting, epoch, sequence) }
    }
    hub.events.onGap = { [unowned self] session in
      let id = session.id
      assumeIsolated { $0.resync(id) }
    }
    hub.onSpared = { [metrics] in metrics.levelsSpared.increment() }
    rosters[meeting] = hub
    presence.follow(meeting)
    return hub
  }

  func forgetIfUnused(_ hub: RosterHub) {
    guard hub.events.isUnused, rosters[hub.meeting] === hub else { return }
    rosters[hub.meeting] = nil
    presence.unfollow(hub.meeting)
  }

  private func take(_ header: V1.EventHeader, _ body: [UInt8], of meeting: MeetingID) {
    guard let hub = rosters[meeting] else { return }
    hub.deliver(header, body)
    for ended in header.ended {
      guard let id = SessionID(bytes: ended.sessionID), let session = sessions[id] else { continue }
      _ = session.link.flush()
      end(session, ended.status.flatMap { Status($0) }, .byPresence)
    }
    guard let status = header.meetingEnded.flatMap({ Status($0) }) else { return }
    for session in hub.sessions {
      _ = session.link.flush()
      end(session, status, .withMeeting)
    }
    forgetIfUnused(hub)
  }

  private func catchUp(_ meeting: MeetingID, _ epoch: UInt64, _ sequence: UInt64) {
    guard let owner = presence.owner(of: meeting) else { return catchUpLater(meeting) }
    let request = V1.ReplayRequest(
      meetingID: meeting.text, epoch: epoch, afterSequence: sequence)
    owner.client.replay(request, options: CallOptions(timeout: .seconds(2))) {
      [unowned self] result in
      assumeIsolated { $0.caughtUp(meeting, result) }
    }
  }

  private func caughtUp(_ meeting: MeetingID, _ result: Result<V1.ReplayReply, Status>) {
    guard let hub = rosters[meeting] else { return }
    switch result {
    case .success(let reply):
      switch reply.outcome {
      case .events(let events):
        hub.follower.caughtUp(with: events.events)
      case .snapshot(let snapshot):
        let isContinued = hub.follower.cursor?.epoch == snapshot.epoch
        hub.deliver(snapshot)
        hub.follower.reset(
          epoch: snapshot.epoch, sequence: snapshot.sequence, tick: snapshot.tick)
        // Events that are not kept any more may have ended sessions here: presence says which.
        if isContinued { announce(meeting) }
      case nil:
        hub.follower.catchUpFailed()
      }
    case .failure(let status) where status.code == .notFound:
      lost(hub)
    case .failure:
      catchUpLater(meeting)
    }
  }

  /// Presence is restarting or recovering: asked again soon, and by its next beacon.
  private func catchUpLater(_ meeting: MeetingID) {
    rosters[meeting]?.follower.catchUpFailed()
    _ = thread.schedule(after: .milliseconds(100)) { [weak self] in
      self?.assumeIsolated { $0.rosters[meeting]?.follower.catchUp() }
    }
  }

  /// Presence does not know a meeting that has sessions here: they are announced again.
  private func lost(_ hub: RosterHub) {
    hub.follower.catchUpFailed()
    if !hub.sessions.isEmpty { announce(hub.meeting) }
  }

  /// One client's position is not kept any more: it gets a snapshot of its own.
  private func resync(_ id: SessionID) {
    guard let session = sessions[id], let owner = presence.owner(of: session.meeting) else {
      return
    }
    session.cursors[.roster] = nil  // What comes meanwhile is part of the snapshot, or kept here.
    let request = V1.SnapshotRequest(meetingID: session.meeting.text)
    owner.client.snapshot(request) { [unowned self] result in
      assumeIsolated { gateway in
        guard let session = gateway.sessions[id] else { return }
        guard case .success(let roster) = result else {
          return gateway.detach(session, because: Self.presenceIsAway)
        }
        session.cursors[.roster] = StreamCursor(epoch: roster.epoch, sequence: roster.sequence)
        session.queue(SharedItem(RosterHub.events(of: roster)))
        gateway.rosters[session.meeting]?.events.catchUp(session)
      }
    }
  }

  // MARK: A new term of presence

  private func announce(_ meeting: MeetingID) {
    if let owner = presence.owner(of: meeting) { announce(to: owner.instance) }
  }

  /// Tells an instance who is connected here, in parts, and then asks for what was missed.
  func announce(to instance: String) {
    announcing[instance]?.cancel()
    announcing[instance] = Task(executorPreference: thread) {
      await self.announceSessions(to: instance)
    }
  }

  private func announceSessions(to instance: String) async {
    while !Task.isCancelled {
      do {
        let settling = settlingTime(of: instance)
        if settling > .zero {
          try await tellSessions(to: instance, isLast: false)
          try await Task.sleep(for: settling)
        }
        try await tellSessions(to: instance, isLast: true)
        catchUpRosters()
        return
      } catch {
        // Not there yet: the announcement is begun again.
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func tellSessions(to instance: String, isLast: Bool) async throws {
    // A store that fails is no reason to lose everybody.
    try? await learnDecisions()
    guard let link = presence[instance] else { throw Self.presenceIsAway }
    var records = sessions.all
      .filter { presence.owner(of: $0.meeting) === link }
      .map(\.record)[...]
    repeat {
      let part = Array(records.prefix(Self.sessionsPerAnnouncement))
      records = records.dropFirst(part.count)
      let request = V1.AnnounceRequest(
        gateway: settings.instance, sessions: part, last: isLast && records.isEmpty,
        gatewayRun: run)
      let reply = try await link.client.announce(request, options: CallOptions())
      endReplaced(reply.unknownSessions)
    } while !records.isEmpty
  }

  /// How long the list of sessions is not whole yet, and presence would report who is missing as
  /// gone: clients of this gateway's run before are on their way back, and sessions that are being
  /// opened ask presence again. Presence's first term has nobody to miss.
  private func settlingTime(of instance: String) -> Duration {
    guard let link = presence[instance], link.term > 1 else { return .zero }
    let returning = Self.returnTime - (thread.now - openedAt)
    return max(returning, opening.isEmpty ? .zero : Self.reopeningTime)
  }

  /// Longer than the longest pause between two attempts of a client.
  private static let returnTime = Duration.seconds(3)

  /// Longer than the pause between two attempts to join.
  private static let reopeningTime = Duration.milliseconds(250)

  private static let sessionsPerAnnouncement = 200

  private func endReplaced(_ ids: [[UInt8]]) {
    for session in ids.compactMap({ SessionID(bytes: $0) }).compactMap({ sessions[$0] }) {
      end(
        session,
        Status(
          .failedPrecondition, "The same credentials opened a newer session.",
          session: .audioJoinedFromAnotherDevice, reason: .joinedElsewhere),
        .byPresence)
    }
  }
}
