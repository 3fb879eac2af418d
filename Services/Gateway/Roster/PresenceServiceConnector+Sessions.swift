import Bus
import MeetingModel
import ServiceHost
import Wire

// Reports the joins and leaves of sessions to `presence`, and gives sessions the roster.
extension PresenceServiceConnector: ServiceConnector {
  var following: any OwnerFollowing { follower }

  func need(of session: GatewayClientSession) -> SessionAdmissionTracker.Need? {
    SessionAdmissionTracker.Need(
      service: Self.id, step: .roster, timeout: context.settings.joinTimeout, isEssential: true)
  }

  /// Returns the meeting whose roster the client sees. For a client in a replica, this is the
  /// primary.
  func meeting(heardBy session: GatewayClientSession) -> MeetingID? { session.sourceMeeting }

  /// Returns the replica of a session; `nil` if the session is not in a replica.
  ///
  /// The replica's stream can end the replica's sessions, but the gateway does not show the
  /// replica's roster to these sessions.
  func meeting(endingUnseen session: GatewayClientSession) -> MeetingID? {
    session.isReplica ? session.meeting : nil
  }

  func takeIn(_ session: GatewayClientSession) async throws(Status) -> InitialDelivery {
    let owner = try follower.reachableOwner(of: session.meeting)
    guard let request = session.opening?.request else {
      session.lose(.roster)  // A snapshot or the hub delivers the missed events.
      return delivery(of: try await shared.roster(askedNowOf: session.sourceMeeting), to: session)
    }
    let join = V1.JoinRequest(
      session: session.record, gateway: context.settings.instance,
      isResume: request.resumed != nil, gatewayRun: context.run, wantsPositionOnly: true)
    let options = CallOptions(
      timeout: .seconds(2), term: owner.term, traceparent: session.trace.text)
    let reply = try await owner.client.join(join, options: options)
    owner.learn(reply.term)
    guard let position = reply.roster else { throw Self.away }
    session.opening?.wasPresent = reply.wasPresent
    session.record.joinedAtMs = reply.joinedAtMs
    beginStream(of: session.meeting, at: position)
    if session.isReplica { leavePrimary(session) }
    if request.resumed != nil { return try await what(session, lacksSince: request.positions) }
    let roster = try await shared.roster(
      of: session.sourceMeeting, reaching: session.isReplica ? nil : position.cursor)
    return delivery(of: roster, to: session)
  }

  /// Requests the roster changes that a client has missed since its last roster: the later events,
  /// or a whole roster.
  private func what(
    _ session: GatewayClientSession, lacksSince positions: [MeetingStream: StreamCursor]
  ) async throws(Status) -> InitialDelivery {
    let meeting = session.sourceMeeting
    if let position = positions[.roster] {
      switch await missed(since: position, in: meeting) {
      case .events(let missed):
        session.opening?.isRecovered = true
        return InitialDelivery { [unowned self] in give(missed.events, since: position, to: session)
        }
      case .snapshot(let snapshot):
        return delivery(of: shared.pack(snapshot, of: meeting), to: session)
      case nil: break
      }
    }
    return delivery(of: try await shared.roster(askedNowOf: meeting), to: session)
  }

  /// Starts the stream at the position of a session's join.
  ///
  /// The stream reports events after this position. One of these events may already have ended the
  /// session.
  private func beginStream(of meeting: MeetingID, at position: V1.RosterSnapshot) {
    // If the session has ended during the join, the gateway may no longer follow the meeting.
    guard let hub = follower.knownHub(of: meeting), hub.follower.cursor == nil else { return }
    hub.follower.reset(epoch: position.epoch, sequence: position.sequence, tick: position.tick)
    // The stream does not report joins from before the stream's first event, so the recorder
    // requests these joins.
    recorder.lack(meeting)
  }

  /// Ends the earlier promotion of a resumed session, because the session returned to its replica.
  private func leavePrimary(_ session: GatewayClientSession) {
    if session.opening?.request.resumed != nil {
      demote(session, as: .connectionLost, isAnyGateways: true)
    }
  }

  private func delivery(of roster: RosterSnapshotCache.Packed, to session: GatewayClientSession)
    -> InitialDelivery
  {
    InitialDelivery { [unowned self] in shared.give(roster, to: session) }
  }

  /// Requests the roster events after a position.
  ///
  /// - Returns: The answer; `nil` if `presence` does not answer.
  private func missed(
    since position: StreamCursor, in meeting: MeetingID
  ) async -> V1.ReplayReply.Outcome? {
    // Epoch 0 is invalid. In a request, epoch 0 would mean the present epoch.
    guard position.epoch > 0, let owner = follower.owner(of: meeting) else { return nil }
    let request = V1.ReplayRequest(meeting, after: position)
    let options = CallOptions(timeout: .seconds(2), term: owner.term)
    return try? await owner.client.replay(request, options: options).outcome
  }

  private func give(
    _ missed: [V1.PackedEvent], since position: StreamCursor, to session: GatewayClientSession
  ) {
    let hub = follower.hub(of: session.sourceMeeting)
    session.cursors[.roster] = position
    for event in missed { hub.give(event, to: session) }
    if let cursor = session.cursors[.roster] { hub.place(session, at: cursor) }
  }

  /// Reports a lost client to `presence`. Repeats the report until `presence` answers or the
  /// session has resumed at this gateway.
  func detach(_ session: GatewayClientSession) {
    let (id, meeting, lastHeard) = (session.id, session.meeting, session.lastHeard)
    let trace = session.trace
    follower.notices.add(
      .session(id, in: meeting),
      while: { [unowned context] in !context.sessions.isPresent(id) }
    ) { [unowned context] client, options, then in
      let silent = context.now - lastHeard
      let request = V1.DetachRequest(
        meetingID: meeting.text, sessionID: id.bytes,
        silentMs: UInt32(clamping: Int(silent / .milliseconds(1))),
        gateway: context.settings.instance)
      client.detach(request, options: options.traced(by: trace)) { then($0.failure) }
    }
  }

  /// Does nothing, because ``awaitEnd(_:_:)`` notifies `presence` and returns the result to the
  /// operator.
  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID) {}

  func release(_ session: GatewayClientSession, _ ending: SessionEndInitiator) {
    switch ending {
    case .byPresence, .withMeeting: return
    case .cutOff: return detach(session)
    case .byClient: break
    }
    let request = V1.LeaveRequest(
      meetingID: session.meeting.text, sessionID: session.id.bytes)
    let trace = session.trace
    follower.notices.add(.session(session.id, in: session.meeting)) { client, options, then in
      client.leave(request, options: options.traced(by: trace)) { then($0.failure) }
    }
  }
}

extension V1.RosterSnapshot {
  var cursor: StreamCursor { StreamCursor(epoch: epoch, sequence: sequence) }

  /// The whole roster as an item for a client.
  var asItem: V1.SessionEvents {
    V1.SessionEvents(
      events: [V1.SessionEvent(event: .rosterSnapshot(self))],
      positions: [MeetingStream.roster.position(at: cursor)])
  }
}
