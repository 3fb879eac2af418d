import Bus
import Logging
import MeetingModel
import ServiceHost
import Wire
import ZeroMQ

// Media: clients are let in there with a ticket, and what they may send is told to media before anybody
// else, so that nobody is heard who has been told that he is not.
extension GatewayService {
  func mediaHandlers() -> ServiceLink<MediaClient>.Handlers {
    .init(
      onEvent: { [unowned self] event in assumeIsolated { $0.routeMedia(event) } },
      onNewTerm: { [unowned self] instance in
        assumeIsolated { $0.admitEverybody(to: instance) }
      },
      onMalformed: { [metrics] in metrics.malformedEvents.increment() })
  }

  /// What media measured of one client, or of some.
  private func routeMedia(_ event: ReceivedEvent) {
    guard let id = try? MeetingID(event.header.meetingID), let hub = boards[id] else { return }
    let item = SharedItem(event.body)
    for session in hub.sessions where session.maySee(event.header) { session.queue(item) }
  }

  func tellMediaWeLive() {
    let request = V1.GatewayAliveRequest(gateway: settings.instance, gatewayRun: run)
    for link in media.all {
      let instance = link.instance
      link.client.gatewayAlive(request, options: CallOptions(timeout: .seconds(1))) {
        [unowned self] result in
        guard case .success(let reply) = result else { return }
        assumeIsolated { gateway in
          gateway.media[instance]?.learn(reply.term)
          if reply.wantsAnnouncement { gateway.admitEverybody(to: instance) }
        }
      }
    }
  }

  // MARK: Letting clients in

  /// A new term knows nobody: all sessions of its meetings get new tickets.
  func admitEverybody(to instance: String) {
    admittingAll[instance]?.cancel()
    admittingAll[instance] = Task(executorPreference: thread) {
      await self.keepAdmittingEverybody(to: instance)
    }
  }

  private func keepAdmittingEverybody(to instance: String) async {
    while !Task.isCancelled {
      do throws(Status) {
        try await learnDecisions()
        guard !Task.isCancelled else { return }
        for session in sessions.all
        where media.owner(of: session.boardMeeting)?.instance == instance {
          admitToMedia(session)
        }
        return
      } catch {
        // The store does not answer: nobody is heard on a right that may be gone.
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  /// Gives a client its ticket, as soon as media answers. Nobody waits for that.
  func admitToMedia(_ session: Session) {
    let id = session.id
    session.admitting?.cancel()
    session.admitting = Task(executorPreference: thread) { await self.keepAdmitting(id) }
  }

  private func keepAdmitting(_ id: SessionID) async {
    // A session lives longer than its task, and its task's memory lives as long as it is held.
    defer { if !Task.isCancelled { sessions[id]?.admitting = nil } }
    while !Task.isCancelled, let session = sessions[id] {
      do throws(Status) { return try await admit(session) } catch {
        guard error.isWorthRepeating else {
          logger.warning(
            "Media does not admit a session",
            metadata: [LogKey.meeting: "\(session.boardMeeting)", LogKey.status: "\(error.code)"])
          return
        }
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  private func admit(_ session: Session) async throws(Status) {
    guard let owner = media.owner(of: session.boardMeeting) else { throw Self.mediaIsAway }
    let ticket = SessionID.random().bytes
    let request = session.admission(
      ticket: ticket, gateway: settings.instance, gatewayRun: run)
    let reply = try await owner.client.admit(
      request, options: CallOptions(timeout: .seconds(2), term: owner.term))
    owner.learn(reply.term)
    guard !Task.isCancelled, sessions[session.id] === session else { return }
    session.media.admitted(reply.format)
    let event = V1.MediaMoved(
      endpoint: reply.endpoint, ticket: ticket, format: reply.format, term: reply.term)
    session.queue(
      SharedItem(V1.SessionEvents(events: [V1.SessionEvent(event: .mediaMoved(event))])))
  }

  /// The session is over for good: its ticket dies.
  func releaseFromMedia(_ session: Session) {
    session.admitting?.cancel()
    let request = V1.ReleaseRequest(
      meetingID: session.boardMeeting.text, sessionID: session.id.bytes)
    insist(on: .releaseMedia(request), in: session.boardMeeting)
  }

  /// Contact is lost: media goes on for a client that comes back within the grace window.
  func releaseFromMediaLater(_ session: Session) {
    session.admitting?.cancel()
    let (id, meeting) = (session.id, session.boardMeeting)
    _ = thread.schedule(after: Self.mediaGrace) { [weak self] in
      self?.assumeIsolated { gateway in
        guard gateway.sessions[id] == nil, gateway.joining[id] == nil else { return }
        let request = V1.ReleaseRequest(meetingID: meeting.text, sessionID: id.bytes)
        gateway.insist(on: .releaseMedia(request), in: meeting)
      }
    }
  }

  /// As long as presence waits for a client that has lost contact.
  private static let mediaGrace = Duration.seconds(5)

  // MARK: What clients may send

  /// Tells media what a participant may send. It holds from its next packet on when this returns.
  ///
  /// Media that is not there carries nothing, and is told on its return with the admission of each
  /// session; so only one that is there and does not answer is waited for.
  func tellMedia(
    _ change: V1.SetSendRightsRequest.Change, of participant: ParticipantID, in meeting: MeetingID
  ) async throws(Status) {
    let request = V1.SetSendRightsRequest(
      meetingID: meeting.text, participantID: participant.text, change: change)
    let deadline = thread.now + settings.joinPatience
    while let owner = media.owner(of: meeting), owner.isConnected {
      let status: Status
      do throws(Status) {
        _ = try await owner.client.setSendRights(
          request, options: CallOptions(timeout: .seconds(1)))
        return
      } catch {
        status = error
      }
      guard status.isWorthRepeating, thread.now < deadline else { throw status }
      do { try await Task.sleep(for: .milliseconds(50)) } catch { throw status }
    }
  }

  func setVoiceFocus(_ request: V1.SetVoiceFocusRequest, _ call: Call<V1.SetVoiceFocusReply>) {
    guard let session = sessions[call.route], session.media.isAdmitted,
      let owner = media.owner(of: session.boardMeeting)
    else { return call.fail(Self.notAdmitted) }
    session.media.isVoiceFocusEnabled = request.isEnabled
    let change = V1.SetSessionVoiceFocusRequest(
      meetingID: session.boardMeeting.text, sessionID: session.id.bytes,
      isEnabled: request.isEnabled)
    owner.client.setVoiceFocus(change, options: CallOptions(timeout: .seconds(2))) { result in
      switch result {
      case .success(let reply): call.reply(reply)
      case .failure(let status): call.fail(status)
      }
    }
  }

  private static let notAdmitted = Status(
    .failedPrecondition, "Media has not admitted the session yet; wait for media_moved.")

  static let mediaIsAway = Status(
    .unavailable, "The media service does not answer; try again.",
    session: .audioServiceUnavailable)
}

extension Session {
  /// What media is told of the session.
  func admission(
    ticket: [UInt8], gateway: String, gatewayRun: UInt64
  ) -> V1.AdmitRequest {
    V1.AdmitRequest(
      meetingID: boardMeeting.text, sessionID: id.bytes,
      attendee: V1.AttendeeInfo(
        attendeeID: record.participantID, externalUserID: record.externalUserID),
      rights: V1.SendRights(
        capabilities: record.capabilities, isMuted: record.isMuted,
        isMutedByOperator: record.isMutedByOperator),
      ticket: ticket, replicaMeetingID: isReplica ? meeting.text : "", audioMode: media.audioMode,
      audio: media.audio, isVoiceFocusEnabled: media.isVoiceFocusEnabled,
      audioSendSSRC: media.sendSSRC, audioReceiveSSRC: media.receiveSSRC, gateway: gateway,
      gatewayRun: gatewayRun)
  }
}
