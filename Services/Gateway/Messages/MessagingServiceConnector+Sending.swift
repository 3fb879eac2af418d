import Bus
import MeetingModel
import ServiceHost
import Wire

// Sends clients' data messages to `messaging`.
extension MessagingServiceConnector {
  /// Sends a client's message after the earlier messages of this client.
  ///
  /// - Parameters:
  ///   - key: The idempotency key of the client; empty if the client does not retry the message.
  ///   - answer: Called once, after the message is on disk or after its rejection.
  func send(
    _ request: V1.SendDataMessageRequest, key: String = "", traceparent: String = "",
    of session: GatewayClientSession,
    answer: @escaping (Result<V1.SendDataMessageReply, Status>) -> Void
  ) {
    guard !session.onlyWatches, !session.participant.isContent else {
      return answer(.failure(Self.onlyReads))
    }
    lastOutgoing += 1
    var append = V1.SendDataMessageRequest(
      sender: session.actor.attendee, topic: request.topic, data: request.data,
      lifetimeMs: request.lifetimeMs, recipients: request.recipients)
    append.meetingIDInPlace = IDText(session.sourceMeeting)
    append.sessionIDInPlace = SessionIDBytes(session.id)
    session.outgoing.append(
      PendingClientMessages.Message(
        number: lastOutgoing, request: append,
        idempotencyKey: key.isEmpty ? ownKeys.key(of: lastOutgoing) : key,
        traceparent: traceparent, answer: answer,
        deadline: context.now + context.settings.joinTimeout))
    sendWaiting(of: session)
  }

  private func sendWaiting(of session: GatewayClientSession) {
    guard !session.outgoing.isPaused else { return }
    // Without a term in the request, any later owner would accept the message, possibly out of
    // order.
    guard let owner = follower.owner(of: session.sourceMeeting), owner.term > 0 else {
      session.outgoing.pause()
      return resumeLater(session)
    }
    let lane = PendingClientMessages.Destination(instance: owner.instance, term: owner.term)
    let number = session.number
    let leaving = session.outgoing.take(for: lane, at: WallClock.nowMs)
    let round = session.outgoing.round
    for message in leaving {
      var request = message.request
      request.round = round
      let options = CallOptions(
        timeout: .seconds(2), term: owner.term, traceparent: message.traceparent,
        idempotencyKey: message.idempotencyKey)
      owner.client.sendDataMessage(request, options: options) { [unowned self] result in
        guard let session = context.sessions[number] else { return }
        answered(message.number, of: session, result)
        // After a change of the owner or the term, the session's next messages wait until all
        // messages to the former owner or under the former term have an answer. The answer in
        // `result` may be the last of these answers.
        if session.outgoing.hasWaiting, !session.outgoing.isPaused { sendWaiting(of: session) }
      }
    }
  }

  private func answered(
    _ number: UInt64, of session: GatewayClientSession,
    _ result: Result<V1.SendDataMessageReply, Status>
  ) {
    switch result {
    case .success(let reply):
      session.outgoing.remove(number)?.answer(.success(reply))
    case .failure(let status) where status.code == .notFound || status.isTransient:
      let isPausing = !session.outgoing.isPaused
      guard session.outgoing.putBack(number, at: context.now) else {
        session.outgoing.remove(number)?.answer(.failure(status))
        return
      }
      guard isPausing else { return }
      if status.code == .notFound { joinAgain(session) } else { resumeLater(session) }
    case .failure(let status):
      session.outgoing.remove(number)?.answer(.failure(status))
      guard status.code == .resourceExhausted, status.reason == .flooding else { return }
      context.metrics.flooding.increment()
      context.coordinator.end(session, status, .cutOff)
    }
  }

  /// Resumes sending in 100 ms, because `messaging` does not answer now.
  private func resumeLater(_ session: GatewayClientSession) {
    let number = session.number
    context.after(.milliseconds(100)) { [unowned self] in resume(number) }
  }

  /// Joins the session again. `messaging` has lost the session because `messaging` lost its store,
  /// or because the gateway was absent for too long.
  private func joinAgain(_ session: GatewayClientSession) {
    guard let owner = follower.owner(of: session.sourceMeeting) else { return resumeLater(session) }
    let number = session.number
    let request = V1.JoinMessagesRequest(
      meetingID: session.sourceMeeting.text, sessionID: session.id.bytes,
      participantID: session.participant.text, maxBytes: 1)
    owner.client.join(request) { [unowned self] _ in resume(number) }
  }

  private func resume(_ number: SessionNumber) {
    guard let session = context.sessions[number] else { return }
    guard !isHeldBack(session) else { return resumeLater(session) }
    session.outgoing.resume()
    sendWaiting(of: session)
  }

  /// Returns whether to delay a session's messages, because the messages would not reach some
  /// sessions in the roster.
  ///
  /// While `messaging` does not answer, new sessions can enter the roster without a join at
  /// `messaging`. Messages wait until these sessions have joined `messaging`, but at most until one
  /// second before the deadline of the oldest message.
  private func isHeldBack(_ session: GatewayClientSession) -> Bool {
    guard let deadline = session.outgoing.firstDeadline, context.now < deadline - .seconds(1),
      let hub = follower.knownHub(of: session.sourceMeeting)
    else { return false }
    return hub.sessions.contains(where: isWaiting)
  }

  /// Sends a host's notice to the attendees of a meeting.
  ///
  /// The gateway repeats the call while `messaging` restarts. The idempotency key prevents a second
  /// message.
  ///
  /// - Throws: `unavailable` if `messaging` does not answer, or if the meeting's messages exceed
  ///   the soft limit for the whole time of the retries.
  func send(_ notice: HostRequestMessage, in meeting: MeetingID) async throws(Status) {
    lastOutgoing += 1
    let key = ownKeys.key(of: lastOutgoing)
    let request = notice.request(in: meeting)
    try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      let owner = try follower.reachableOwner(of: meeting)
      let options = CallOptions(timeout: .seconds(2), term: owner.term, idempotencyKey: key)
      let reply = try await owner.client.sendDataMessage(request, options: options)
      if case .throttled? = reply.outcome { throw Self.tooMany }
    }
  }

  private static let tooMany = Status(
    .unavailable, "The meeting has too many data messages now; try again.")

  /// Rejects the messages that the gateway has not sent yet, because the client's promotion has
  /// ended.
  func withdrawWaiting(of session: GatewayClientSession) {
    for message in session.outgoing.takeWaiting() { message.answer(.failure(Self.onlyReads)) }
  }

  private static let onlyReads = Status(
    .failedPrecondition,
    """
    A session in a replica meeting cannot send messages; promote its attendee to the primary \
    meeting first.
    """)
}
