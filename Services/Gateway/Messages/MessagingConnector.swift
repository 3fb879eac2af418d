import Bus
import MeetingModel
import Wire

/// Messaging's part of the gateway: clients get their meeting's data messages, and send their own.
final class MessagingConnector {
  private(set) lazy var follower = OwnerFollower(self, in: context)
  let context: GatewayContext
  var lastOutgoing: UInt64 = 0

  /// A repeat must be known as one, also where only this gateway repeats.
  let ownKeys = IdempotencyKeys()

  /// When no gateway says any more that a session is lost of which presence said so.
  private let lossSettles: Duration

  /// - Parameter lossSettles: Longer than a notice is told.
  init(in context: GatewayContext, lossSettles: Duration = .seconds(15)) {
    (self.context, self.lossSettles) = (context, lossSettles)
  }

  static let away = Status(
    .unavailable, "The messaging service does not answer; try again.")

  /// A page of what is stored for a meeting, behind a place in its log.
  func messages(
    of meeting: MeetingID, after sequence: UInt64
  ) async throws(Status) -> V1.MessageReplay {
    let client = try follower.reachableOwner(of: meeting).client
    var request = V1.MessageReplayRequest(meetingID: meeting.text, afterSequence: sequence)
    guard sequence > 0 else { return try await client.replay(request, options: .replay) }
    // A place means something within its numbering only; it is asked for, with nothing behind it.
    request.throughSequence = 1
    request.epoch = try await client.replay(request, options: .replay).epoch
    request.throughSequence = 0
    return try await client.replay(request, options: .replay)
  }
}

extension MessagingConnector {
  /// Has every instance delete what a user sent.
  ///
  /// - Returns: How many messages there were.
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

extension MessagingConnector: FollowedService {
  static let id = ServiceID(name: "messaging")

  static var stream: MeetingStream? { .messages }

  static func topic(of meeting: MeetingID) -> Topic { .messages(of: meeting) }

  static func client(over channel: RequestChannel) -> MessagingClient { MessagingClient(channel) }

  func askLimits(
    _ client: MessagingClient, in term: UInt64, then: @escaping (Result<V1.Limits, Status>) -> Void
  ) { client.getLimits(V1.GetLimitsRequest(), options: CallOptions(term: term), then: then) }

  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: MessagingClient,
    then: @escaping (Result<CatchUp, Status>) -> Void
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
            // The log is another one: each client is given what it lacks of it.
            for session in hub.sessions {
              context.coordinator.sessionLacks(session.number, Self.id)
            }
          }
        })
    }
  }

  /// Messaging keeps on disk whom it counts as present; those whom it could not count yet come at
  /// once.
  func announce(to link: ServiceLink<MessagingClient>) async throws(Status) {
    for session in context.sessions.all where isWaiting(session) {
      context.coordinator.sessionLacks(session.number, Self.id)
    }
  }

  /// Whether a session reads messages and is not counted as present by messaging.
  func isWaiting(_ session: Session) -> Bool {
    session.messagesMeeting != nil && session.cursors[.messages] == nil
  }
}

// MARK: - Sessions

extension MessagingConnector: ServiceConnector {
  var following: any OwnerFollowing { follower }

  func need(of session: Session) -> SessionLedger.Need? {
    guard !session.participant.isContent else { return nil }
    // Before the others see it in the roster: from then on they expect it to get what they send.
    return SessionLedger.Need(service: Self.id, step: .beforeRoster, timeout: .seconds(1))
  }

  func meeting(heardBy session: Session) -> MeetingID? { session.messagesMeeting }

  /// What the client lacks of its meeting's messages. From here on messaging counts it as present.
  func takeIn(_ session: Session) async throws(Status) -> Delivery {
    guard let meeting = session.messagesMeeting else { throw Self.away }
    session.lose(.messages)
    let missed = try await read(meeting, for: session, after: session.owed[.messages])
    return Delivery(isComplete: missed.isComplete) { [unowned self] in
      give(missed, of: meeting, to: session)
    }
  }

  private func give(_ missed: MissedMessages, of meeting: MeetingID, to session: Session) {
    session.owed[.messages] = nil
    session.queue(missed.item)
    follower.hub(of: meeting).place(session, at: missed.cursor)
  }

  private func read(
    _ meeting: MeetingID, for session: Session, after position: StreamCursor?
  ) async throws(Status) -> MissedMessages {
    let client = try follower.reachableOwner(of: meeting).client
    let options = CallOptions.replay.traced(by: session.trace)
    var join = V1.JoinMessagesRequest(
      meetingID: meeting.text, sessionID: session.id.bytes, participantID: session.participant.text)
    var request = V1.MessageReplayRequest(
      meetingID: meeting.text, sessionID: session.id.bytes, participantID: session.participant.text)
    var page: V1.MessageReplay
    if let position {
      // Before the join: it tells from whether the session is known what it was present for.
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

  /// The session will not be resumed: its place in the messages need not be kept.
  func release(_ session: Session, _ ending: SessionEnding) {
    guard let meeting = session.messagesMeeting else { return }
    let request = V1.LeaveRequest(meetingID: meeting.text, sessionID: session.id.bytes)
    let trace = session.trace
    follower.notices.add(.session(session.id, in: meeting)) { client, options, then in
      client.leave(request, options: options.traced(by: trace)) { then($0.failure) }
    }
  }

  /// Presence has given a session up: its place need not be kept for longer than its client may
  /// come back. Every gateway says so that hears it, also of clients that it never had: the one
  /// that had them may be gone.
  ///
  /// Presence may be wrong, of a gateway that stood still for example. Who is here is counted as
  /// present once more when the others have said what they have to say.
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

  /// The meeting has ended: its log is deleted.
  func endMeeting(_ request: V1.EndMeetingRequest, _ id: MeetingID) {
    follower.notices.add(.meeting(id)) { client, options, then in
      client.endMeeting(request, options: options) { then($0.failure) }
    }
  }
}
