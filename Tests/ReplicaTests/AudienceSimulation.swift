import AudienceModel
import MeetingModel
import OwnerTestSupport
import TestSupport

@testable import Gateway

/// Random histories of clients, gateways and owners from a seed, checked by ``AudienceModel``.
///
/// There are two gateways and two instances of presence. The seed decides which instance owns the
/// primary, and which instance owns the primary's replicas. The simulation throws a ``Violation``
/// at the first broken rule.
final class AudienceSimulation {
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  let seed: UInt64
  let installation: Installation
  let gateways: [SimulatedGateway]
  let clients: [SimulatedClient]
  var random: SeededGenerator
  private(set) var step = 0

  /// The attendees of the primary. The first three attendees have their own clients.
  static let speakers = (1...5).map { Person(number: $0) }

  /// Whether the simulation kills processes and loses messages.
  private let isRough: Bool

  /// - Parameter fault: A rule for the gateways to break.
  init(seed: UInt64, isRough: Bool = false, fault: SimulatedGateway.Fault? = nil) {
    (self.seed, self.isRough) = (seed, isRough)
    var random = SeededGenerator(seed: seed)
    let meetings = [Installation.primary] + Installation.replicas
    let placement = meetings.map { ($0, Int.random(in: 0...1, using: &random)) }
    let installation = Installation(placement: Dictionary(uniqueKeysWithValues: placement))
    (self.random, self.installation) = (random, installation)
    gateways = [.a, .b].map { SimulatedGateway($0, in: installation) }
    for gateway in gateways { gateway.fault = fault }
    clients = Self.cast()
    connectStreams()
  }

  /// Returns three speakers, and five attendees who watch from two replicas.
  private static func cast() -> [SimulatedClient] {
    let audience: [(Int, MeetingID)] = [
      (11, .audience), (12, .audience), (15, .audience), (13, .overflow), (14, .overflow),
    ]
    let people =
      (1...3).map { (Person(number: UInt8($0)), Installation.primary) }
      + audience.map { (Person(number: UInt8($0)), $1) }
    return people.enumerated().map { SimulatedClient(UInt8($0), $1.0, in: $1.1) }
  }

  private func connectStreams() {
    let (installation, gateways) = (installation, gateways)
    for presence in installation.presences {
      presence.publish = { [unowned installation, unowned presence] event in
        for person in event.joined + event.departed {
          installation.check(!Self.isAudience(person), "the audience is shown to somebody")
        }
        for gateway in gateways {
          installation.network.send(.presence(presence.number), gateway.party, isEvent: true) {
            [unowned gateway] in gateway.take(event)
          }
        }
      }
    }
  }

  static func isAudience(_ participant: ParticipantID) -> Bool {
    !speakers.contains { $0.attendee == participant.attendee }
  }

  // MARK: Histories

  func run(steps: Int, rounds: Int) throws(Violation) {
    if isRough { settle(rounds: 4) }  // Lets killed processes recover.
    for _ in 0..<rounds {
      for _ in 0..<steps {
        step += 1
        operate()
        checkAlways()
        try report()
      }
      settle()
      checkSettled()
      try report()
    }
  }

  private func report() throws(Violation) {
    guard let broken = installation.violations.first else { return }
    throw Violation(description: "Seed \(seed), step \(step): \(broken).")
  }

  private func operate() {
    let choice = Int.random(in: 0..<100, using: &random)
    // Failures during the opening of sessions do not concern replicas.
    if !isRough, (43..<52).contains(choice) { return deliver() }
    switch choice {
    case 0..<18: changeConnection()
    case 18..<34: changePromotion()
    case 34..<40: publish()
    case 40..<43: decide()
    case 43..<47: kill()
    case 47..<52: disturb()
    case 52..<57: pick(gateways).noticeLosses()
    case 57..<65: pass(.milliseconds(Int.random(in: 0...700, using: &random)))
    default: deliver()
    }
  }

  private func deliver() { deliver(Int.random(in: 1...8, using: &random)) }

  // MARK: Actions of clients

  private func changeConnection() {
    let client = pick(clients)
    guard client.session != nil else { return connect(client) }
    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
    if flip() {
      client.disconnected()
      if flip() { connect(client) }
    } else if client.isStarted, let session = client.session, let gateway = gateway(of: client) {
      client.ended()
      gateway.leave(session)
    }
  }

  private func connect(_ client: SimulatedClient) {
    guard !installation.deleted.contains(client.member),
      !installation.ended.contains(client.meeting)
    else { return }
    pick(gateways).start(client, publishing: client.isPublishing)
  }

  private func changePromotion() {
    let client = pick(clients)
    guard client.isStarted, let session = client.session, let gateway = gateway(of: client) else {
      return
    }
    if client.promotion != nil, flip() {
      gateway.demote(session)
    } else if client.isReplica || Int.random(in: 0..<8, using: &random) == 0 {
      let hasToken = Int.random(in: 0..<10, using: &random) > 0
      gateway.promote(client, as: pick(Self.speakers), hasToken: hasToken)
    }
  }

  private func publish() {
    let client = pick(clients)
    if client.isStarted { gateway(of: client)?.publish(client) }
  }

  /// Returns the gateway that has the client's session.
  func gateway(of client: SimulatedClient) -> SimulatedGateway? {
    gateways.first { $0.has(client) }
  }

  // MARK: Actions of operators

  private func decide() {
    if Int.random(in: 0..<12, using: &random) == 0 {
      let meeting = pick([Installation.primary] + Installation.replicas)
      end(meeting)
      if meeting == Installation.primary { Installation.replicas.forEach(end) }
    } else {
      let people = Self.speakers.map {
        AudienceModel.Member(meeting: Installation.primary, attendee: $0.attendee)
      }
      let member = flip() ? pick(people) : pick(clients).member
      installation.deleted.insert(member)
      tell(of: member, by: pick(gateways))
    }
  }

  private func end(_ meeting: MeetingID) {
    guard installation.ended.insert(meeting).inserted else { return }
    tell(ofEnd: meeting, by: pick(gateways))
  }

  private func tell(of deleted: AudienceModel.Member, by gateway: SimulatedGateway) {
    let owner = installation.presence(of: deleted.meeting)
    gateway.roster.add(.attendee(deleted.attendee, in: deleted.meeting)) {
      [unowned gateway] then in
      gateway.tell(
        .presence(owner.number), { owner.endAttendee(deleted.attendee, in: deleted.meeting) },
        then)
    }
  }

  private func tell(ofEnd meeting: MeetingID, by gateway: SimulatedGateway) {
    let (owner, installation) = (installation.presence(of: meeting), installation)
    gateway.roster.add(.meeting(meeting)) { [unowned gateway] then in
      gateway.tell(.presence(owner.number), { owner.endMeeting(meeting) }, then)
    }
    gateway.tiles.add(.meeting(meeting)) { [unowned gateway] then in
      gateway.tell(.tiles, { installation.tiles.endMeeting(meeting) }, then)
    }
    gateway.media.add(.meeting(meeting)) { [unowned gateway] then in
      gateway.tell(.media, { installation.media.endMeeting(meeting) }, then)
    }
  }

  // MARK: Failures

  private func kill() {
    let names = Set(gateways.map(\.name))
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      let gateway = pick(gateways)
      for client in clients where self.gateway(of: client) === gateway { client.disconnected() }
      gateway.restart()
    case 1:
      installation.tiles.restart(expecting: names)
      installation.network.cut(.tiles)
    case 2:
      installation.media.restart()
      installation.network.cut(.media)
    default:
      let presence = pick(installation.presences)
      presence.restart(expecting: names)
      installation.network.cut(.presence(presence.number))
    }
  }

  private func disturb() {
    let network = installation.network
    switch Int.random(in: 0..<3, using: &random) {
    case 0: if let lane = network.busy.randomElement(using: &random) { network.loseEvent(lane) }
    case 1: if let call = network.unanswered.randomElement(using: &random) { network.timeOut(call) }
    default:
      let gateway = pick(gateways)
      for lines in [gateway.roster, gateway.tiles, gateway.media] { lines.expire() }
    }
  }

  // MARK: Time

  private func pass(_ duration: Duration) {
    installation.pass(duration)
    for gateway in gateways {
      gateway.retry()
      gateway.sayAlive()
    }
    for presence in installation.presences { beat(presence) }
  }

  private func beat(_ presence: SimulatedPresence) {
    let network = installation.network
    for meeting in [Installation.primary] + Installation.replicas
    where installation.presence(of: meeting) === presence {
      let position = presence.position(of: meeting)
      for gateway in gateways {
        network.send(.presence(presence.number), gateway.party, isEvent: true) {
          [unowned gateway] in gateway.hear(position, of: meeting)
        }
      }
    }
  }

  /// - Returns: Whether `count` messages were in transit.
  @discardableResult
  private func deliver(_ count: Int) -> Bool {
    for _ in 0..<count {
      guard let lane = installation.network.busy.randomElement(using: &random) else { return false }
      installation.network.deliver(lane)
    }
    return true
  }

  /// Stops all failures, and runs the simulation until everything that waits has had enough time to
  /// complete.
  private func settle(rounds: Int = 24) {
    for round in 0..<rounds {
      if round % 6 == 0 { remind() }
      for gateway in gateways { gateway.noticeLosses() }
      pass(.milliseconds(900))
      deliverAll()
    }
  }

  /// Lets gateways report ended meetings that still have sessions, as `MeetingExpiry` does.
  private func remind() {
    for gateway in gateways {
      for member in gateway.deletedMembers().sorted(by: { $0.attendee < $1.attendee }) {
        tell(of: member, by: gateway)
      }
      let occupied = Set(gateway.open.map(\.meeting))
      for meeting in installation.ended.intersection(occupied).sorted() {
        tell(ofEnd: meeting, by: gateway)
      }
    }
  }

  private func deliverAll() {
    for _ in 0..<10_000 {
      if !deliver(1) { return }
    }
    installation.check(false, "there is no end of messages")
  }

  private func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private func flip() -> Bool { Bool.random(using: &random) }
}
