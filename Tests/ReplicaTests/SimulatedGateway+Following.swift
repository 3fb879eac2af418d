import AudienceModel
import MeetingModel
import OwnerTestSupport
import Wire

@testable import Gateway

// Follows roster streams, and announces the gateway's sessions to owners that do not know these
// sessions.
extension SimulatedGateway {
  // MARK: Streams

  /// Processes an event of a roster.
  func take(_ event: SimulatedPresence.Event) {
    guard let position = following[event.meeting]?.position,
      following[event.meeting]?.isAsking == false
    else {
      following[event.meeting, default: Following()].held.append(event)
      return
    }
    guard event.position.term == position.term, event.position.sequence <= position.sequence + 1
    else {
      following[event.meeting]?.held.append(event)
      return catchUp(event.meeting)
    }
    if event.position.sequence > position.sequence { deliver(event) }
  }

  private func deliver(_ event: SimulatedPresence.Event) {
    following[event.meeting]?.position = event.position
    following[event.meeting]?.recent.append(event)
    following[event.meeting]?.roster?.take(event)
    endSessions(after: event)
  }

  private func takeHeld(of meeting: MeetingID) {
    let held = following[meeting]?.held ?? []
    following[meeting]?.held = []
    for event in held where event.position.term == following[meeting]?.position?.term {
      take(event)
    }
  }

  /// Starts a stream after a join, and applies the events that have already arrived. One of these
  /// events may end the session.
  func beginStream(of meeting: MeetingID, at position: SimulatedPresence.Position) {
    guard following[meeting]?.position == nil else { return }
    following[meeting, default: Following()].position = position
    takeHeld(of: meeting)
  }

  /// Processes a report in which an owner states the position of a meeting's stream.
  func hear(_ position: SimulatedPresence.Position, of meeting: MeetingID) {
    guard let known = following[meeting]?.position else { return }
    if known != position { catchUp(meeting) }
  }

  private func endSessions(after event: SimulatedPresence.Event) {
    for session in event.ended.flatMap({ inOrder(sessions.all(of: $0.session)) }) {
      if session.meeting == event.meeting {
        end(session, withMeeting: false)
      } else {
        endedByPresence(session)
      }
    }
    guard event.meetingEnded != nil else { return }
    if event.meeting == Installation.primary { tellEnd(of: event.meeting) }
    for session in open + inOrder(sessions.opening) {
      if session.meeting == event.meeting {
        end(session, withMeeting: true)
      } else if session.sourceMeeting == event.meeting {
        endedByPresence(session)
      }
    }
  }

  /// Ends the sessions of an ended meeting at the other owners.
  private func tellEnd(of meeting: MeetingID) {
    tiles.add(.meeting(meeting)) { [unowned self] then in
      tell(.tiles, { [installation] in installation.tiles.endMeeting(meeting) }, then)
    }
    media.add(.meeting(meeting)) { [unowned self] then in
      tell(.media, { [installation] in installation.media.endMeeting(meeting) }, then)
    }
  }

  private func catchUp(_ meeting: MeetingID) {
    guard let position = following[meeting]?.position, following[meeting]?.isAsking == false
    else { return }
    following[meeting]?.isAsking = true
    let owner = installation.presence(of: meeting)
    var missed: [SimulatedPresence.Event]?
    var snapshot: Roster?
    var isDone = false
    network.call(party, .presence(owner.number)) { reply in
      missed = owner.events(of: meeting, after: position)
      snapshot = missed == nil ? owner.snapshot(of: meeting).map(Roster.init) : nil
      reply(missed == nil && snapshot == nil ? Network.away : nil)
    } then: { [unowned self] status in
      guard !isDone else { return }
      isDone = true
      following[meeting]?.isAsking = false
      guard status == nil else { return }
      for event in missed ?? [] { take(event) }
      if let snapshot {
        show(snapshot, of: meeting)
        following[meeting]?.position = snapshot.position
        // A missed event may have ended a session of this gateway. The answer of presence names the
        // ended sessions.
        announce(to: owner)
      }
      takeHeld(of: meeting)
    }
  }

  /// Requests a roster for joining clients.
  ///
  /// - Parameter position: The position that the roster must contain; `nil` for any position.
  func askRoster(
    of meeting: MeetingID, reaching position: SimulatedPresence.Position?,
    then: @escaping (_ isThere: Bool) -> Void
  ) {
    if let known = following[meeting]?.roster?.position, known == following[meeting]?.position,
      position.map({ known.term == $0.term && known.sequence >= $0.sequence }) ?? true
    {
      return then(true)
    }
    let owner = installation.presence(of: meeting)
    var snapshot: Roster?
    network.call(party, .presence(owner.number)) { reply in
      snapshot = owner.snapshot(of: meeting).map(Roster.init)
      reply(snapshot == nil ? Network.away : nil)
    } then: { [unowned self] status in
      guard status == nil, let snapshot else { return then(false) }
      show(snapshot, of: meeting)
      beginStream(of: meeting, at: snapshot.position)
      then(true)
    }
  }

  private func show(_ roster: Roster, of meeting: MeetingID) {
    let known = following[meeting]?.roster?.position
    guard
      known.map({ roster.position.term > $0.term || roster.position.sequence >= $0.sequence })
        ?? true
    else { return }
    following[meeting, default: Following()].roster = roster
    for event in following[meeting]?.recent ?? [] { following[meeting]?.roster?.take(event) }
  }

  // MARK: Announcing

  /// Sends a heartbeat to every owner, and announces the gateway's sessions to each owner that
  /// needs an announcement.
  func sayAlive() {
    let (name, run) = (name, run)
    for presence in installation.presences {
      var isWanted = false
      network.call(party, .presence(presence.number)) { reply in
        isWanted = presence.gatewayIsAlive(name, run: run)
        reply(nil)
      } then: { [unowned self] in
        if $0 == nil, isWanted { announce(to: presence) }
      }
    }
    sayAliveElsewhere()
  }

  private func sayAliveElsewhere() {
    let (name, run) = (name, run)
    var tilesWant = false
    network.call(party, .tiles) { [installation] reply in
      tilesWant = installation.tiles.gatewayIsAlive(name, run: run)
      reply(nil)
    } then: { [unowned self] in
      if $0 == nil, tilesWant { announceToTiles() }
    }
    let echo = mediaAnnouncement
    var wanted: (term: UInt64, announcement: UInt64) = (0, 0)
    network.call(party, .media) { [installation] reply in
      let announcement = installation.media.gatewayIsAlive(name, run: run, echoing: echo)
      wanted = (installation.media.term, announcement)
      reply(nil)
    } then: { [unowned self] in
      if $0 == nil { admitAll(to: wanted.term, wanted.announcement) }
    }
  }

  /// Admits all sessions again, because media has a new term or has lost this gateway.
  private func admitAll(to term: UInt64, _ announcement: UInt64) {
    if term > mediaTerm {
      (mediaTerm, mediaAnnouncement) = (term, 0)
      lackMedia.formUnion(open.map(\.number))
    }
    guard term == mediaTerm, announcement > 0, announcement != mediaAnnouncement else { return }
    mediaAnnouncement = announcement
    if announcement > 1 { lackMedia.formUnion(open.map(\.number)) }
  }

  /// Announces the promoted sessions first, then the sessions of the owner's own meetings.
  func announce(to owner: SimulatedPresence) {
    let party = Network.Party.presence(owner.number)
    guard announcing.insert(party).inserted else {
      againAnnouncing.insert(owner.number)
      return
    }
    noticeLosses()
    for session in inOrder(sessions.opening)
    where installation.presence(of: session.meeting) === owner {
      lacksPresence(session)
    }
    tellDeletions(to: owner)
    let promoted = open.filter { installation.presence(of: $0.sourceMeeting) === owner }
      .compactMap(\.promotion.record)
    tell(promoted, to: owner, isLast: false) { [unowned self] refused in
      for (id, _) in refused {
        if let session = sessions[id] { endedByPresence(session) }
      }
      let own = open.filter { installation.presence(of: $0.meeting) === owner }.map(\.record)
      tell(own, to: owner, isLast: true) { [unowned self] refused in
        ended(announcing: owner)
        for (id, _) in refused {
          if let session = sessions[id] { end(session, withMeeting: false) }
        }
      }
    }
  }

  /// Reports to an owner which of the gateway's attendees the store has deleted.
  private func tellDeletions(to owner: SimulatedPresence) {
    for member in deletedMembers() where installation.presence(of: member.meeting) === owner {
      tell(
        .presence(owner.number), { owner.endAttendee(member.attendee, in: member.meeting) },
        { _ in })
    }
  }

  /// Returns the deleted attendees that act through this gateway.
  func deletedMembers() -> Set<AudienceModel.Member> {
    var members = Set<AudienceModel.Member>()
    for session in open {
      let attendee = session.participant.attendee
      members.insert(AudienceModel.Member(meeting: session.meeting, attendee: attendee))
      guard session.promotion.record != nil else { continue }
      members.insert(
        AudienceModel.Member(
          meeting: session.sourceMeeting, attendee: session.actorID.attendee))
    }
    return members.intersection(installation.deleted)
  }

  private func tell(
    _ records: [V1.GatewaySession], to owner: SimulatedPresence, isLast: Bool,
    then: @escaping ([(session: SessionID, status: Status)]) -> Void
  ) {
    let (name, run) = (name, run)
    var refused: [(session: SessionID, status: Status)] = []
    var isDone = false
    network.call(party, .presence(owner.number)) { reply in
      refused = owner.announce(records, by: name, run: run, isLast: isLast)
      reply(nil)
    } then: { [unowned self] status in
      guard !isDone else { return }
      isDone = true
      guard status == nil else {
        ended(announcing: owner)
        return
      }
      then(refused)
    }
  }

  private func ended(announcing owner: SimulatedPresence) {
    announcing.remove(.presence(owner.number))
    if againAnnouncing.remove(owner.number) != nil { announce(to: owner) }
  }

  private func announceToTiles() {
    guard announcing.insert(.tiles).inserted else { return }
    noticeLosses()
    for session in inOrder(sessions.opening) where !isAskingTiles(session) {
      takeInTiles(session, isResume: session.opening?.request.resumed != nil) {}
    }
    let (described, name, run) = (open.map(\.tileSession), name, run)
    network.call(party, .tiles) { [installation] reply in
      installation.tiles.announce(described, by: name, run: run)
      reply(nil)
    } then: { [unowned self] _ in
      announcing.remove(.tiles)
    }
  }

  // MARK: Clients' video

  func publish(_ client: SimulatedClient) {
    guard let session = client.session else { return }
    let (id, promoted) = (session.id, session.promotion.record?.participantID)
    network.call(party, .tiles) { [installation] reply in
      installation.tiles.publish(id, in: session.sourceMeeting, reply)
    } then: { [unowned self] status in
      guard status == nil, sessions[session.number] === session,
        session.promotion.record?.participantID == promoted
      else { return }
      session.choices.published = (try? [SimulatedTiles.video]) ?? []
      client.isPublishing = true
    }
  }
}
