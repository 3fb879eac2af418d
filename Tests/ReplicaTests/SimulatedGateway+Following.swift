import MeetingModel
import OwnerTestSupport
import Wire

@testable import Gateway

// What a gateway reads of rosters, and what it tells owners that do not know its sessions.
extension SimulatedGateway {
  // MARK: Streams

  /// An event of a roster arrives.
  func take(_ event: SimulatedPresence.Event) {
    let position = following[event.meeting, default: Following()].position
    guard position?.term == event.position.term, let last = position?.sequence,
      event.position.sequence <= last + 1
    else { return catchUp(event.meeting) }
    guard event.position.sequence > last else { return }
    following[event.meeting]?.position = event.position
    following[event.meeting]?.people.removeAll { event.departed.contains($0) }
    following[event.meeting]?.people += event.joined
    endSessions(after: event)
  }

  /// The owner says how far its stream has come.
  func hear(_ position: SimulatedPresence.Position, of meeting: MeetingID) {
    if following[meeting]?.position != position { catchUp(meeting) }
  }

  private func endSessions(after event: SimulatedPresence.Event) {
    for (id, _) in event.ended {
      guard let session = sessions[id] else {
        endedEarly.insert(id)
        continue
      }
      if session.meeting == event.meeting {
        end(session, withMeeting: false)
      } else {
        endedByPresence(session)
      }
    }
    guard event.meetingEnded != nil else { return }
    for session in open {
      if session.meeting == event.meeting {
        end(session, withMeeting: true)
      } else if session.sourceMeeting == event.meeting {
        endedByPresence(session)
      }
    }
  }

  private func catchUp(_ meeting: MeetingID) {
    guard !following[meeting, default: Following()].isAsking else { return }
    following[meeting, default: Following()].isAsking = true
    let owner = installation.presence(of: meeting)
    var snapshot: (position: SimulatedPresence.Position, people: [ParticipantID])?
    network.call(party, .presence(owner.number)) { reply in
      snapshot = owner.snapshot(of: meeting)
      reply(snapshot == nil ? Network.away : nil)
    } then: { [unowned self] status in
      following[meeting]?.isAsking = false
      guard status == nil, let snapshot else { return }
      following[meeting]?.position = snapshot.position
      following[meeting]?.people = snapshot.people
      // Events that were missed may have ended sessions here: presence says which.
      announce(to: owner)
    }
  }

  // MARK: Announcing

  /// Says to every owner that it lives, and announces its sessions where that is wanted.
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
    var (tilesWant, mediaWants, mediaTerm) = (false, false, UInt64(0))
    network.call(party, .tiles) { [installation] reply in
      tilesWant = installation.tiles.gatewayIsAlive(name, run: run)
      reply(nil)
    } then: { [unowned self] in
      if $0 == nil, tilesWant { announceToTiles() }
    }
    network.call(party, .media) { [installation] reply in
      mediaWants = installation.media.gatewayIsAlive(name, run: run)
      mediaTerm = installation.media.term
      reply(nil)
    } then: { [unowned self] in
      guard $0 == nil else { return knownMediaTerm = 0 }
      defer { knownMediaTerm = mediaTerm }
      if mediaWants || knownMediaTerm != mediaTerm { lackMedia.formUnion(open.map(\.number)) }
    }
  }

  /// Promoted sessions first, then those of the owner's own meetings.
  func announce(to owner: SimulatedPresence) {
    let party = Network.Party.presence(owner.number)
    guard announcing.insert(party).inserted else { return }
    noticeLosses()
    let promoted = open.filter { installation.presence(of: $0.sourceMeeting) === owner }
      .compactMap(\.promotion.record)
    tell(promoted, to: owner, isLast: false) { [unowned self] refused in
      for (id, _) in refused {
        if let session = sessions[id] { endedByPresence(session) }
      }
      let own = open.filter { installation.presence(of: $0.meeting) === owner }.map(\.record)
      tell(own, to: owner, isLast: true) { [unowned self] refused in
        announcing.remove(party)
        for (id, _) in refused {
          if let session = sessions[id] { end(session, withMeeting: false) }
        }
      }
    }
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
        announcing.remove(.presence(owner.number))
        return
      }
      then(refused)
    }
  }

  private func announceToTiles() {
    guard announcing.insert(.tiles).inserted else { return }
    boardTerms = [:]
    noticeLosses()
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
