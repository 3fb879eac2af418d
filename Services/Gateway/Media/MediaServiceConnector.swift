import Bus
import MeetingModel
import Wire

/// The gateway's client of the service `media`: admits clients to `media` with tickets, and reports
/// to `media` what each client may send.
final class MediaServiceConnector {
  private(set) lazy var follower = OwnerFollower(self, in: context)
  let context: GatewayContext

  /// The changes of participants' rights for which the gateway has no answer of `media` yet.
  var untold = PendingRightsChanges()

  init(in context: GatewayContext) { self.context = context }

  static let away = Status(
    .unavailable, "The media service does not answer; try again.",
    session: .audioServiceUnavailable)
}

// MARK: - Following media

extension MediaServiceConnector: OwnerFollowerAdapter {
  static let id = ServiceID(name: "media")

  /// The events of `media` are volatile measurements.
  static var stream: MeetingStream? { nil }

  static func topic(of meeting: MeetingID) -> EventTopic { .media(of: meeting) }

  static func client(over channel: RequestChannel) -> MediaClient { MediaClient(channel) }

  func askLimits(
    _ client: MediaClient, in term: UInt64, then: @escaping (Result<V1.Limits, Status>) -> Void
  ) { client.getLimits(V1.GetLimitsRequest(), options: CallOptions(term: term), then: then) }

  func sayAlive(
    _ client: MediaClient, _ request: V1.GatewayAliveRequest,
    then: @escaping (Result<V1.GatewayAliveReply, Status>) -> Void
  ) { client.gatewayAlive(request, options: .alive, then: then) }

  func ownerForgotAll(_ instance: String) {
    for session in context.sessions.all where session.media.admittedAt == instance {
      session.media.forgetAdmission()
    }
  }

  /// Issues new tickets for the sessions that the owner of their meeting has not admitted, for
  /// example in a new term.
  ///
  /// An admitted session keeps its ticket when other instances start or stop.
  ///
  /// - Throws: The store's error. Without the store's decisions, `media` could forward the sound of
  ///   an attendee who may no longer send sound.
  func announce(to link: ServiceLink<MediaClient>) async throws(Status) {
    try await context.decisions.refresh()
    for session in context.sessions.all
    where follower.owner(of: session.sourceMeeting) === link
      && session.media.admittedAt != link.instance
    {
      context.coordinator.sessionLacks(session.number, Self.id)
    }
  }
}

// MARK: - Sessions

extension MediaServiceConnector: ServiceConnector {
  var following: any OwnerFollowing { follower }

  /// Returns a need that does not delay the opening of the session. The client gets its ticket when
  /// `media` answers.
  func need(of session: GatewayClientSession) -> SessionAdmissionTracker.Need? {
    SessionAdmissionTracker.Need(service: Self.id, step: .afterRoster)
  }

  func meeting(heardBy session: GatewayClientSession) -> MeetingID? { session.sourceMeeting }

  /// Returns 128 random bits that bind a client's connection to its session.
  private static func randomTicket() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<16).map { _ in generator.next() }
  }

  func takeIn(_ session: GatewayClientSession) async throws(Status) -> InitialDelivery {
    let owner = try follower.reachableOwner(of: session.sourceMeeting)
    let ticket = Self.randomTicket()
    let request = session.admission(
      ticket: ticket, gateway: context.settings.instance, gatewayRun: context.run)
    let reply = try await owner.client.admit(
      request,
      options: CallOptions(
        timeout: .seconds(2), term: owner.term, traceparent: session.trace.text))
    owner.learn(reply.term)
    return InitialDelivery { [unowned self] in
      releaseElsewhere(session, admittedAt: owner.instance)
      session.media.admitted(reply.format, at: owner.instance)
      session.queue(
        .mediaMoved(
          V1.MediaMoved(
            endpoint: reply.endpoint, ticket: ticket, format: reply.format, term: reply.term)))
    }
  }

  /// Releases the session 5 s after the loss of the session's connection, unless the client
  /// reconnects earlier.
  func detach(_ session: GatewayClientSession) {
    let (id, meeting, trace) = (session.id, session.sourceMeeting, session.trace)
    context.after(Self.grace) { [weak self] in
      guard let self, !context.sessions.isPresent(id) else { return }
      release(id, in: meeting, trace)
    }
  }

  /// How long `media` keeps a client after the loss of the client's connection. `presence` waits
  /// for the same time.
  private static let grace = Duration.seconds(5)

  /// Releases the session at `media`, which then rejects the session's ticket.
  func release(_ session: GatewayClientSession, _ ending: SessionEndInitiator) {
    release(session.id, in: session.sourceMeeting, session.trace)
  }

  /// Releases a session at the former owner of a meeting that has moved.
  ///
  /// The former owner then stops forwarding the client's packets.
  private func releaseElsewhere(_ session: GatewayClientSession, admittedAt instance: String) {
    guard let former = session.media.admittedAt, former != instance, let link = follower[former]
    else { return }
    let request = releasing(session.id, in: session.sourceMeeting)
    link.client.release(request, options: CallOptions(timeout: .seconds(2))) { _ in }
  }

  private func releasing(_ id: SessionID, in meeting: MeetingID) -> V1.ReleaseRequest {
    V1.ReleaseRequest(
      meetingID: meeting.text, sessionID: id.bytes, gateway: context.settings.instance)
  }

  private func release(_ id: SessionID, in meeting: MeetingID, _ trace: TraceParent) {
    let request = releasing(id, in: meeting)
    follower.notices.add(
      .session(id, in: meeting), while: { [unowned context] in !context.sessions.isPresent(id) }
    ) { client, options, then in
      client.release(request, options: options.traced(by: trace)) { then($0.failure) }
    }
  }

  /// Notifies `media` that a meeting has ended. `media` then stops forwarding all packets of this
  /// meeting.
  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID) {
    follower.notices.add(.meeting(id)) { client, options, then in
      client.endMeeting(request, options: options) { then($0.failure) }
    }
  }
}

extension GatewayClientSession {
  /// Returns the request that admits the session to `media`.
  fileprivate func admission(
    ticket: [UInt8], gateway: String, gatewayRun: UInt64
  ) -> V1.AdmitRequest {
    V1.AdmitRequest(
      meetingID: sourceMeeting.text, sessionID: id.bytes,
      attendee: record.attendee,
      rights: V1.SendRights(
        capabilities: actor.capabilities, isMuted: actor.isMuted,
        isMutedByOperator: actor.isMutedByOperator),
      ticket: ticket, replicaMeetingID: isReplica ? meeting.text : "",
      promotedAs: promotion.record?.attendee, audioMode: media.audioMode,
      audio: media.audio, isVoiceFocusEnabled: media.isVoiceFocusEnabled,
      audioSendSSRC: media.sendSSRC, audioReceiveSSRC: media.receiveSSRC, gateway: gateway,
      gatewayRun: gatewayRun, openedAtMs: record.openedAtMs)
  }
}
