import AudienceModel
import MeetingModel
import OwnerTestSupport
import Wire

@testable import Gateway

// Checks the rules that every history of events must follow.
extension AudienceSimulation {
  /// Checks the rules that apply after each step, whatever is in transit.
  func checkAlways() {
    let (tiles, media) = (installation.tiles, installation.media)
    for id in media.sessions.keys {
      installation.check(media.voice(of: id).map(isSpeaker) ?? true, "an audience is heard")
    }
    for (publisher, _) in tiles.publishers(in: Installation.primary) {
      installation.check(isSpeaker(publisher), "an audience is seen")
    }
  }

  private func isSpeaker(_ participant: ParticipantID) -> Bool { !Self.isAudience(participant) }

  /// Checks the rules that apply after everything in transit has arrived.
  func checkSettled() {
    let model = model()
    for client in clients {
      checkTold(client, model)
      checkAttempts(of: client)
      if let session = client.session { check(client, session, model) }
    }
    checkRosters(model)
    checkVideo(model)
    checkNoGhosts()
  }

  /// Returns the ``AudienceModel`` that results from the clients' events.
  private func model() -> AudienceModel {
    var model = AudienceModel()
    for replica in Installation.replicas {
      model.replicate(Installation.primary, as: replica)
    }
    for client in clients where client.isStarted { model.join(client.member) }
    for client in clients {
      if let person = client.promotion?.person { model.promote(client.member, as: person.attendee) }
    }
    for member in installation.deleted { model.delete(member) }
    for meeting in installation.ended { model.end(meeting) }
    return model
  }

  private func name(_ client: SimulatedClient) -> String { "client \(client.number)" }

  // MARK: Notifications of a client

  private func checkTold(_ client: SimulatedClient, _ model: AudienceModel) {
    installation.check(
      client.isStarted == (client.session != nil), "\(name(client)) waits for ever")
    guard client.isStarted else { return }
    installation.check(
      model.isPresent(client.member), "\(name(client)) was not told that it is out")
    let expected = client.isReplica ? client.promotion?.person.attendee : client.person.attendee
    installation.check(
      model.appearance(of: client.member) == expected,
      "\(name(client)) was not told that it is demoted")
    let rivals = clients.filter { $0.isStarted && $0.member == client.member }
    installation.check(rivals.count == 1, "\(name(client)) was not told of another device")
  }

  private func checkAttempts(of client: SimulatedClient) {
    for attempt in client.attempts {
      installation.check(
        attempt.answers == 1 || attempt.isForlorn && attempt.answers == 0,
        "an attempt of \(name(client)) has \(attempt.answers) answers")
      let ends = client.promotion === attempt ? 0 : attempt.successes
      installation.check(
        attempt.ends == ends, "a promotion of \(name(client)) has \(attempt.ends) ends")
    }
  }

  // MARK: State of a client

  private func check(
    _ client: SimulatedClient, _ session: GatewayClientSession, _ model: AudienceModel
  ) {
    guard let gateway = gateway(of: client) else {
      return installation.check(false, "\(name(client)) is on no gateway")
    }
    let appearance = model.appearance(of: client.member)
    installation.check(
      session.onlyWatches == !model.mayPublish(client.member),
      "what \(name(client)) sends goes to others than the guide says")
    let people = gateway.following[model.shown(in: client.meeting)]?.roster?.people ?? []
    installation.check(
      Set(people.map(\.attendee)) == model.roster(seenIn: client.meeting)
        && Set(people).count == people.count, "\(name(client)) sees \(people)")
    installation.check(
      installation.media.voice(of: session.id)?.attendee == appearance,
      "\(name(client)) is not heard as the guide says")
    let publisher = installation.tiles.sessions(in: Installation.primary)[session.id]
    installation.check(
      publisher.map { $0?.attendee == appearance } ?? false,
      "\(name(client)) may not publish as the guide says")
    checkMessages(to: client, session, model)
  }

  private func checkMessages(
    to reader: SimulatedClient, _ session: GatewayClientSession, _ model: AudienceModel
  ) {
    for sender in clients {
      guard let other = sender.session, sender.isStarted else { continue }
      let header = V1.EventHeader(exceptFor: [other.actor.participantID])
      let gets =
        !other.onlyWatches && session.messagesMeeting == other.sourceMeeting
        && session.maySee(header)
      installation.check(
        gets == model.getsMessage(reader.member, from: sender.member),
        "a message of \(name(sender)) does not reach \(name(reader)) as the guide says")
    }
  }

  // MARK: State of owners

  private func checkRosters(_ model: AudienceModel) {
    let owner = installation.presence(of: Installation.primary)
    installation.check(!owner.isRecovering, "recovery does not end")
    let entries = owner.entries(of: Installation.primary)
    let roster = model.roster(seenIn: Installation.primary)
    installation.check(
      Set(entries.map(\.attendee)) == roster && entries.count == roster.count,
      "\(entries) are in the primary, not \(roster)")
    installation.check(
      owner.attendeeCount(of: Installation.primary) == roster.count
        && (roster.count <= SimulatedPresence.capacity || owner.term > 1),
      "seats and people differ")
    for replica in Installation.replicas {
      let here = clients.filter { $0.meeting == replica && model.isPresent($0.member) }
      let members = Set(here.map(\.member))
      let presence = installation.presence(of: replica)
      installation.check(
        presence.attendeeCount(of: replica) == members.count
          && presence.entries(of: replica).isEmpty,
        "a replica has \(presence.attendeeCount(of: replica)) and not \(members.count) attendees")
    }
  }

  private func checkVideo(_ model: AudienceModel) {
    for (publisher, id) in installation.tiles.publishers(in: Installation.primary) {
      let client = clients.first { $0.isStarted && $0.session?.id == id }
      installation.check(
        client.map {
          model.appearance(of: $0.member) == publisher.attendee
        } ?? false, "\(publisher) publishes what no client does")
    }
  }

  /// Checks that every session of an owner belongs to a gateway.
  private func checkNoGhosts() {
    let known = Set(clients.filter(\.isStarted).compactMap { $0.session?.id })
    installation.check(
      Set(installation.media.sessions.keys) == known,
      "media has others than gateways"
    )
    let board = installation.tiles.sessions(in: Installation.primary)
    installation.check(
      Set(board.keys) == known,
      "video-tiles has others than gateways"
    )
    for gateway in gateways {
      installation.check(
        [gateway.roster, gateway.tiles, gateway.media].allSatisfy(\.isEmpty),
        "a notice is told for ever")
    }
  }
}
