import Bus
import MeetingModel
import Wire

/// The gateway's client of the service `messaging`: delivers a meeting's data messages to sessions,
/// and sends the sessions' own messages.
final class MessagingServiceConnector {
  private(set) lazy var follower = OwnerFollower(self, in: context)
  let context: GatewayContext
  var lastOutgoing: UInt64 = 0

  /// Creates idempotency keys for messages that have none, so that `messaging` recognizes the
  /// gateway's own retries.
  let ownKeys = IdempotencyKeyGenerator()

  /// How long the gateway waits before a session joins `messaging` again, if `presence` has dropped
  /// the session but this gateway still serves it.
  private let lossSettles: Duration

  /// - Parameter lossSettles: A delay longer than the retry window of a notice. After this delay,
  ///   every gateway has stopped reporting the session to `messaging` as dropped.
  init(in context: GatewayContext, lossSettles: Duration = .seconds(15)) {
    (self.context, self.lossSettles) = (context, lossSettles)
  }

  static let away = Status(
    .unavailable, "The messaging service does not answer; try again.")

  /// Returns a page of the stored messages of a meeting after a sequence number.
  func messages(
    of meeting: MeetingID, after sequence: UInt64
  ) async throws(Status) -> V1.MessageReplay {
    let client = try follower.reachableOwner(of: meeting).client
    var request = V1.MessageReplayRequest(meetingID: meeting.text, afterSequence: sequence)
    guard sequence > 0 else { return try await client.replay(request, options: .replay) }
    // A sequence number is valid only within its epoch. This request returns the epoch and no
    // events.
    request.throughSequence = 1
    request.epoch = try await client.replay(request, options: .replay).epoch
    request.throughSequence = 0
    return try await client.replay(request, options: .replay)
  }
}

extension MessagingServiceConnector {
  /// Deletes a user's messages on every instance.
  ///
  /// - Returns: The number of deleted messages.
  func erase(_ user: ExternalUserID) async throws(Status) -> UInt64 {
    let instances = follower.all
    guard !instances.isEmpty else { throw Self.away }
    var messages: UInt64 = 0
    for instance in instances {
      let request = V1.EraseSenderRequest(externalUserID: user.text)
      let options = CallOptions(timeout: .seconds(30), term: instance.term)
      messages += try await instance.client.eraseSender(request, options: options).messages
    }
    return messages
  }
}

// MARK: - Following messaging

extension MessagingServiceConnector: OwnerFollowerAdapter {
  static let id = ServiceID(name: "messaging")

  static var stream: MeetingStream? { .messages }

  static func topic(of meeting: MeetingID) -> EventTopic { .messages(of: meeting) }

  static func client(over channel: RequestChannel) -> MessagingClient { MessagingClient(channel) }

  func askLimits(
    _ client: MessagingClient, in term: UInt64, then: @escaping (Result<V1.Limits, Status>) -> Void
  ) { client.getLimits(V1.GetLimitsRequest(), options: CallOptions(term: term), then: then) }

  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: MessagingClient,
    then: @escaping (Result<MissedEventsReply, Status>) -> Void
  ) {
    let request = V1.MessageReplayRequest(
      meetingID: meeting.text, epoch: cursor.epoch, afterSequence: cursor.sequence)
    client.replay(request, options: .replay) { [unowned context] result in
      then(
        result.map { replay in
          let end = StreamCursor(epoch: replay.epoch, sequence: replay.throughSequence)
          guard end.epoch != cursor.epoch else {
            return .page(replay.events, through: end, hasMore: replay.hasMore)
          }
          return .snapshot(at: end) { hub in
            // The log has a new epoch, so the gateway requests the missed messages for each
            // session.
            for session in hub.sessions {
              context.coordinator.sessionLacks(session.number, Self.id)
            }
          }
        })
    }
  }

  /// Asks `messaging` to register the sessions that are not present at `messaging` yet.
  ///
  /// `messaging` has all other sessions on disk.
  func announce(to link: ServiceLink<MessagingClient>) async throws(Status) {
    for session in context.sessions.all where isWaiting(session) {
      context.coordinator.sessionLacks(session.number, Self.id)
    }
  }

  /// Returns whether a session reads messages, but is not present at `messaging` yet.
  func isWaiting(_ session: GatewayClientSession) -> Bool {
    session.messagesMeeting != nil && session.cursors[.messages] == nil
  }
}

// MARK: - Sessions

extension MessagingServiceConnector: ServiceConnector {
  var following: any OwnerFollowing { follower }

  func need(of session: GatewayClientSession) -> SessionAdmissionTracker.Need? {
    guard !session.participant.isContent else { return nil }
    // A session joins `messaging` before it joins the roster, because senders expect their messages
    // to reach all attendees in the roster.
    return SessionAdmissionTracker.Need(service: Self.id, step: .beforeRoster, timeout: .seconds(1))
  }

  func meeting(heardBy session: GatewayClientSession) -> MeetingID? { session.messagesMeeting }

  /// Requests the messages that the client has missed.
  ///
  /// After this request, the session is present at `messaging`.
  func takeIn(_ session: GatewayClientSession) async throws(Status) -> InitialDelivery {
    guard let meeting = session.messagesMeeting else { throw Self.away }
    session.lose(.messages)
    let missed = try await read(meeting, for: session, after: session.owed[.messages])
    return InitialDelivery(isComplete: missed.isComplete) { [unowned self] in
      give(missed, of: meeting, to: session)
    }
  }

  private func give(
    _ missed: MissedMessages, of meeting: MeetingID, to session: GatewayClientSession
  ) {
    session.owed[.messages] = nil
    session.queue(missed.item)
    follower.hub(of: meeting).place(session, at: missed.cursor)
  }

  private func read(
    _ meeting: MeetingID, for session: GatewayClientSession, after position: StreamCursor?
  ) async throws(Status) -> MissedMessages {
    let client = try follower.reachableOwner(of: meeting).client
    let options = CallOptions.replay.traced(by: session.trace)
    var join = V1.JoinMessagesRequest(
      meetingID: meeting.text, sessionID: session.id.bytes, participantID: session.participant.text)
    var request = V1.MessageReplayRequest(
      meetingID: meeting.text, sessionID: session.id.bytes, participantID: session.participant.text)
    var page: V1.MessageReplay
    if let position {
      // The replay must precede the join. `messaging` uses the session's earlier join to decide for
      // which messages the session was present.
      (request.epoch, request.afterSequence) = (position.epoch, position.sequence)
      page = try await client.replay(request, options: options)
      join.maxBytes = 1
      _ = try await client.join(join, options: options)
    } else {
      page = try await client.join(join, options: options)
    }
    var (events, isComplete) = (page.events, page.isComplete || position == nil)
    while page.hasMore {
      (request.epoch, request.afterSequence) = (page.epoch, page.throughSequence)
      page = try await client.replay(request, options: options)
      events += page.events
      isComplete = isComplete && page.isComplete
    }
    return MissedMessages(
      cursor: StreamCursor(epoch: page.epoch, sequence: page.throughSequence), events: events,
      isComplete: isComplete)
  }

  /// Ends the session at `messaging`, which then deletes the session's position.
  func release(_ session: GatewayClientSession, _ ending: SessionEndInitiator) {
    guard let meeting = session.messagesMeeting else { return }
    let request = V1.LeaveRequest(meetingID: meeting.text, sessionID: session.id.bytes)
    let trace = session.trace
    follower.notices.add(.session(session.id, in: meeting)) { client, options, then in
      client.leave(request, options: options.traced(by: trace)) { then($0.failure) }
    }
  }

  /// Reports to `messaging` that `presence` has dropped a session. `messaging` then deletes the
  /// session's position.
  ///
  /// Each gateway that learns of the drop from `presence` makes this report, even for another
  /// gateway's session. The session's own gateway may have stopped.
  ///
  /// `presence` may be wrong, for example after the suspension of a gateway. So a session that this
  /// gateway still serves joins `messaging` again after ``lossSettles``. By that time, the other
  /// gateways have stopped reporting the session as dropped.
  func lose(_ session: SessionID, in meeting: MeetingID) {
    if let number = context.sessions[session]?.number {
      context.after(lossSettles) { [context] in context.coordinator.sessionLacks(number, Self.id) }
    }
    let request = V1.LeaveRequest(
      meetingID: meeting.text, sessionID: session.bytes, isLost: true)
    follower.notices.add(
      .session(session, in: meeting),
      while: { [unowned context] in !context.sessions.isPresent(session) }
    ) { client, options, then in
      client.leave(request, options: options) { then($0.failure) }
    }
  }

  /// Notifies `messaging` that a meeting has ended. `messaging` then deletes the log of this
  /// meeting.
  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID) {
    follower.notices.add(.meeting(id)) { client, options, then in
      client.endMeeting(request, options: options) { then($0.failure) }
    }
  }
}
