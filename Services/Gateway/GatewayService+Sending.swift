import Bus
import MeetingModel
import ServiceHost
import Wire
import ZeroMQ

// Data messages from clients to messaging.
extension GatewayService {
  func sendDataMessage(
    _ request: V1.SendDataMessageRequest, _ call: Call<V1.SendDataMessageReply>
  ) {
    guard let session = sessions[call.route] else { return call.fail(Self.messagingIsAway) }
    guard !session.isReplica, !session.participant.isContent else {
      return call.fail(Self.onlyReads)
    }
    lastOutgoing += 1
    let append = V1.AppendRequest(
      meetingID: session.meeting.text, sessionID: session.id.bytes,
      sender: V1.AttendeeInfo(
        attendeeID: session.record.participantID, externalUserID: session.record.externalUserID),
      topic: request.topic, data: request.data, lifetimeMs: request.lifetimeMs,
      recipients: request.recipients)
    session.outgoing.append(
      OutgoingMessages.Message(
        number: lastOutgoing, request: append, idempotencyKey: key(of: call),
        traceparent: call.header.traceparent, call: call,
        deadline: thread.now + settings.joinPatience))
    send(from: session)
  }

  /// A repeat must be known as one, also where only this gateway repeats.
  private func key(of call: Call<V1.SendDataMessageReply>) -> String {
    let key = call.header.idempotencyKey
    return key.isEmpty ? "\(settings.instance)-\(String(run, radix: 36))-\(lastOutgoing)" : key
  }

  private func send(from session: Session) {
    guard let owner = messaging.owner(of: session.meeting) else { return pause(session) }
    let id = session.id
    for message in session.outgoing.takeWaiting() {
      let options = CallOptions(
        timeout: .seconds(2), term: owner.term, traceparent: message.traceparent,
        idempotencyKey: message.idempotencyKey)
      let number = message.number
      owner.client.append(message.request, options: options) { [unowned self] result in
        assumeIsolated { $0.appended(number, of: id, result) }
      }
    }
  }

  private func appended(
    _ number: UInt64, of id: SessionID, _ result: Result<V1.AppendReply, Status>
  ) {
    guard let session = sessions[id] else { return }
    switch result {
    case .success(let reply):
      session.outgoing.remove(number)?.call.reply(V1.SendDataMessageReply(reply))
    case .failure(let status) where status.code == .notFound || status.isWorthRepeating:
      guard session.outgoing.retry(number, now: thread.now) else {
        session.outgoing.remove(number)?.call.fail(status)
        return
      }
      status.code == .notFound ? joinAgain(session) : pause(session)
    case .failure(let status):
      session.outgoing.remove(number)?.call.fail(status)
      guard status.code == .resourceExhausted, status.reason == .flooding else { return }
      metrics.flooding.increment()
      end(session, status, .byClient)
    }
  }

  /// Messaging is away: nothing leaves until a little later.
  private func pause(_ session: Session) {
    guard !session.outgoing.isPaused else { return }
    session.outgoing.isPaused = true
    let id = session.id
    _ = thread.schedule(after: .milliseconds(100)) { [weak self] in
      self?.assumeIsolated { $0.resumeSending(of: id) }
    }
  }

  /// Messaging has forgotten the session, with its store or because it was gone for long.
  private func joinAgain(_ session: Session) {
    guard !session.outgoing.isPaused, let owner = messaging.owner(of: session.meeting) else {
      return
    }
    session.outgoing.isPaused = true
    let id = session.id
    let request = V1.JoinMessagesRequest(
      meetingID: session.meeting.text, sessionID: id.bytes,
      participantID: session.participant.text, maxBytes: 1)
    owner.client.join(request) { [unowned self] _ in assumeIsolated { $0.resumeSending(of: id) } }
  }

  private func resumeSending(of id: SessionID) {
    guard let session = sessions[id] else { return }
    session.outgoing.isPaused = false
    send(from: session)
  }

  private static let onlyReads = Status(
    .failedPrecondition, "This session only watches; promote the attendee to the primary meeting.")
}

extension V1.SendDataMessageReply {
  /// As messaging has decided.
  fileprivate init(_ reply: V1.AppendReply) {
    self.init()
    switch reply.outcome {
    case .accepted(let place): outcome = .accepted(place)
    case .throttled(let wait): outcome = .throttled(wait)
    case nil: break
    }
  }
}
