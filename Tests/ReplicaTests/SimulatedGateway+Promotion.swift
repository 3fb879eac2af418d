import AudienceModel
import MeetingModel
import OwnerTestSupport
import Wire

@testable import Gateway

// Promotes and demotes the sessions of a simulated gateway, as `Promoter` does.
extension SimulatedGateway {
  /// Processes a client's request for promotion. Each request gets one answer.
  func promote(_ client: SimulatedClient, as person: Person, hasToken: Bool) {
    guard let session = client.session else { return }
    let attempt = client.attempt(as: person)
    let answer = { (isPromoted: Bool) in client.answered(attempt, isPromoted: isPromoted) }
    guard session.isReplica else { return answer(false) }
    let member = AudienceModel.Member(meeting: Installation.primary, attendee: person.attendee)
    let isAdmitted =
      hasToken && !installation.deleted.contains(member)
      && !installation.ended.contains(Installation.primary)
    network.call(party, .store) { reply in
      reply(isAdmitted ? nil : SessionCredentials.refused)
    } then: { [unowned self] status in
      guard attempt.answers == 0 else { return }
      guard status == nil, sessions[session.number] === session else { return answer(false) }
      begin(session, as: record(of: person, for: session), answer)
    }
  }

  private func record(of person: Person, for session: GatewayClientSession) -> V1.GatewaySession {
    V1.GatewaySession(
      meetingID: session.sourceMeeting.text, participantID: person.participant.text,
      externalUserID: person.identity.externalUserID.text, sessionID: session.id.bytes,
      capabilities: V1.Capabilities(.all), isPromoted: true,
      openedAtMs: installation.takeStamp())
  }

  private func begin(
    _ session: GatewayClientSession, as record: V1.GatewaySession,
    _ answer: @escaping (Bool) -> Void
  ) {
    if let promoted = session.promotion.record {
      if promoted.participantID == record.participantID { return answer(true) }
      demote(session)
    }
    guard let attempt = session.promotion.begin() else { return answer(false) }
    let (owner, name, run) = (installation.presence(of: session.sourceMeeting), name, run)
    roster.add(
      .session(session.id, in: session.sourceMeeting), mayExpire: true,
      then: { [unowned self] status in
        guard let status else { return agreed(session, attempt, record, answer) }
        session.promotion.fail(attempt)
        if status.isTransient { demoteInPresence(session) }
        answer(false)
      }
    ) { [unowned self] then in
      network.call(party, .presence(owner.number)) { reply in
        owner.promote(record, name, run: run, reply)
      } then: {
        then($0)
      }
    }
  }

  /// Continues a promotion that presence has accepted.
  private func agreed(
    _ session: GatewayClientSession, _ attempt: Promotion.Attempt, _ record: V1.GatewaySession,
    _ answer: @escaping (Bool) -> Void
  ) {
    guard session.promotion.succeed(attempt, as: record) else {
      if fault != .keepsGivenUp { demoteInPresence(session) }
      return answer(false)
    }
    var waiting = 2
    var refusal: Status?
    let answered = { [unowned self] in
      waiting -= 1
      guard waiting == 0 else { return }
      guard session.promotion.record == record else { return answer(false) }
      if refusal != nil { demote(session) }
      answer(refusal == nil)
    }
    promoteInMedia(session, record) {
      refusal = $0
      answered()
    }
    promoteInTiles(session, record, then: answered)
  }

  private func promoteInMedia(
    _ session: GatewayClientSession, _ record: V1.GatewaySession, then: @escaping (Status?) -> Void
  ) {
    let name = name
    media.add(
      .session(session.id, in: session.sourceMeeting), mayExpire: true,
      while: { session.promotion.record != nil }, then: then
    ) { [unowned self] then in
      network.call(party, .media) { [installation] reply in
        installation.media.promote(record, name, reply)
      } then: {
        then($0)
      }
    }
  }

  private func promoteInTiles(
    _ session: GatewayClientSession, _ record: V1.GatewaySession, then: @escaping () -> Void
  ) {
    let (name, run) = (name, run)
    tiles.add(
      .session(session.id, in: session.sourceMeeting), mayExpire: true,
      while: { session.promotion.record != nil }, then: { _ in then() }
    ) { [unowned self] then in
      network.call(party, .tiles) { [installation] reply in
        installation.tiles.promote(record, name, run: run, reply)
      } then: {
        then($0)
      }
    }
  }

  // MARK: Demotion

  /// Ends a promotion, because the client requested the end, or an owner refused the promotion.
  func demote(_ session: GatewayClientSession) {
    guard endPromotion(of: session) else { return }
    clients[session.number]?.demoted()
    demoteInMedia(session)
  }

  /// Ends a promotion, because the session or its connection ended.
  func leavePrimary(_ session: GatewayClientSession) {
    guard endPromotion(of: session, isDisconnect: true) else { return }
    demoteInMedia(session)
  }

  /// Notifies the client that presence has ended the promotion.
  func endedByPresence(_ session: GatewayClientSession) {
    guard session.promotion.record != nil else {
      _ = session.promotion.end()
      return
    }
    leavePrimary(session)
    if fault != .keepsSilent { clients[session.number]?.demoted() }
  }

  private func endPromotion(of session: GatewayClientSession, isDisconnect: Bool = false) -> Bool {
    guard session.promotion.end() != nil else { return false }
    session.choices.published = []
    demoteInTiles(session)
    if !(isDisconnect && fault == .keepsSeat) { demoteInPresence(session) }
    return true
  }

  func demoteInPresence(_ session: GatewayClientSession, isAnyGateways: Bool = false) {
    let (id, meeting, name) = (session.id, session.sourceMeeting, name)
    let owner = installation.presence(of: meeting)
    roster.add(
      .session(id, in: meeting), while: { [unowned self] in sessions.isUnpromoted(id) }
    ) { [unowned self] then in
      let work = { owner.demote(id, in: meeting, by: name, isAnyGateways: isAnyGateways) }
      tell(.presence(owner.number), work, then)
    }
  }

  private func demoteInTiles(_ session: GatewayClientSession) {
    if fault == .keepsVideo { return }
    let (id, meeting, name) = (session.id, session.sourceMeeting, name)
    tiles.add(
      .session(id, in: meeting), while: { [unowned self] in sessions.isUnpromoted(id) }
    ) { [unowned self] then in
      network.call(party, .tiles) { [installation] reply in
        installation.tiles.demote(id, in: meeting, by: name, reply)
      } then: {
        then($0)
      }
    }
  }

  private func demoteInMedia(_ session: GatewayClientSession) {
    if fault == .keepsVoice { return }
    let (id, name) = (session.id, name)
    media.add(
      .session(id, in: session.sourceMeeting),
      while: { [unowned self] in sessions.isUnpromoted(id) }
    ) { [unowned self] then in
      tell(.media, { [installation] in installation.media.demote(id, by: name) }, then)
    }
  }
}
