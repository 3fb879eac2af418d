import AudienceModel
import MeetingModel
import TestSupport
import Trials
import Wire

/// A random history of an audience with real processes.
///
/// Attendees of a primary and of its replicas join, leave, send messages and lose their
/// connections. Attendees are promoted, demoted and deleted. The scenario kills services. At each
/// join, the attendee randomly uses ZeroMQ or the interface of browsers.
///
/// ``AudienceModel`` implements the guarantees of the original SDK's guide to replica meetings (see
/// `docs/replica-guide.md`). After each step, every client must have the roster and the messages of
/// the model. Every client must also have received one event for each promotion that ended without
/// the client's request.
struct AudienceHistory {
  private struct Person {
    let name: String
    let record: V1.AttendeeRecord
    let member: AudienceModel.Member
    var isDeleted = false
  }

  /// A connected client, and the messages and demotions that the client must have received.
  private struct Connected {
    let person: Person
    let client: any AudienceClient
    var texts: [String] = []
    var demotions = 0
  }

  private let audience: Audience
  private let primary: MeetingID
  private var model = AudienceModel()
  private var random: SeededGenerator
  private var people: [Person] = []
  private var connected: [String: Connected] = [:]
  private var lastText = 0

  /// The steps so far. The message of a failure contains these steps.
  private(set) var steps: [String] = []

  private static let names = (
    primary: ["ada", "grace", "paul", "petra"], replicas: [["rob", "rita"], ["sam", "sue"]]
  )

  init(of audience: Audience, seed: UInt64) async throws {
    self.audience = audience
    random = SeededGenerator(seed: seed)
    primary = try MeetingID(audience.primary.meetingID)
    try await add(Self.names.primary, to: audience.primary)
    for (replica, names) in zip(audience.replicas, Self.names.replicas) {
      model.replicate(primary, as: try MeetingID(replica.meetingID))
      try await add(names, to: replica)
    }
  }

  private mutating func add(_ names: [String], to meeting: V1.MeetingRecord) async throws {
    for name in names {
      let record = try await audience.installation.createAttendee(name, in: meeting)
      let member = AudienceModel.Member(
        meeting: try MeetingID(meeting.meetingID), attendee: try AttendeeID(record.attendeeID))
      people.append(Person(name: name, record: record, member: member))
    }
  }

  /// Runs random steps, and checks all clients after each step.
  mutating func run(steps count: Int) async throws {
    for _ in 0..<count {
      try await step()
      try await hangUp()
      try await check()
    }
  }

  /// Closes all connections without leaving.
  func close() async {
    for each in connected.values { await each.client.vanishes() }
  }

  // MARK: Steps

  private mutating func step() async throws {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<30: try await join()
    case ..<38: try await leave()
    case ..<44: try await lose()
    case ..<66: try await promote()
    case ..<74: try await demote()
    case ..<80: try await delete()
    case ..<92: try await speak()
    default: try await killService()
    }
  }

  private mutating func note(_ step: String) { steps.append(step) }

  private mutating func pick(_ people: [Person]) -> Person? {
    people.randomElement(using: &random)
  }

  private var online: [Person] { people.filter { connected[$0.name] != nil } }
  private var watching: [Person] { online.filter(isInReplica) }
  private var attendees: [Person] { people.filter { !isInReplica($0) && !$0.isDeleted } }

  private func isInReplica(_ person: Person) -> Bool { person.member.meeting != primary }

  /// Returns the person who is promoted as the given attendee.
  private func promoted(as attendee: AttendeeID) -> Person? {
    people.first { isInReplica($0) && model.appearance(of: $0.member) == attendee }
  }

  /// Makes the model end the promotion as the given attendee. The promoted client must receive an
  /// event.
  private mutating func endPromotion(as attendee: AttendeeID) {
    guard let loser = promoted(as: attendee) else { return }
    connected[loser.name]?.demotions += 1
    model.demote(loser.member)
  }

  private mutating func join() async throws {
    guard let person = pick(people.filter { connected[$0.name] == nil && !$0.isDeleted }) else {
      return try await speak()
    }
    let isBrowser = Bool.random(using: &random)
    note("join \(person.name)\(isBrowser ? " as a browser" : "")")
    let client = try await connect(person, isBrowser: isBrowser)
    if !isInReplica(person) { endPromotion(as: person.member.attendee) }
    model.join(person.member)
    connected[person.name] = Connected(person: person, client: client)
  }

  private func connect(
    _ person: Person, isBrowser: Bool
  ) async throws -> any AudienceClient {
    let installation = audience.installation
    if isBrowser {
      return try await BrowserWatcher(
        person.record, isInReplica: isInReplica(person), at: installation.gateway)
    }
    let client = RawClient(on: installation.thread)
    try await client.connect(to: installation.gateway.clientURL, in: installation.context)
    let started = try await client.start(person.record)
    return Watcher(client: client, record: person.record, started: started)
  }

  private mutating func leave() async throws {
    guard let person = pick(online),
      let client = connected.removeValue(forKey: person.name)?.client
    else { return try await join() }
    note("leave \(person.name)")
    try await client.leaves()
    model.leave(person.member)
  }

  private mutating func lose() async throws {
    guard let person = pick(online),
      let client = connected.removeValue(forKey: person.name)?.client
    else { return try await join() }
    note("lose \(person.name)")
    await client.vanishes()
    model.leave(person.member)
  }

  private mutating func promote() async throws {
    guard let person = pick(watching),
      let client = connected[person.name]?.client,
      let attendee = pick(attendees)
    else { return try await join() }
    note("promote \(person.name) as \(attendee.name)")
    // If the test has just killed a service, the service may not answer yet, so the test repeats
    // the request.
    try await eventually("\(person.name) to be promoted") {
      try await client.becomes(attendee.record)
    }
    if promoted(as: attendee.member.attendee)?.name != person.name {
      endPromotion(as: attendee.member.attendee)
    }
    model.promote(person.member, as: attendee.member.attendee)
  }

  private mutating func demote() async throws {
    guard let person = pick(watching), let client = connected[person.name]?.client else {
      return try await join()
    }
    note("demote \(person.name)")
    if let wasPromoted = try await client.goesBack(),
      wasPromoted != (model.appearance(of: person.member) != nil)
    {
      throw Broken(rule: "\(person.name) was promoted: \(wasPromoted)", after: steps)
    }
    model.demote(person.member)
  }

  /// Deletes an attendee of the primary if more than two attendees are left.
  private mutating func delete() async throws {
    guard attendees.count > 2,
      let person = pick(attendees),
      let index = people.firstIndex(where: { $0.name == person.name })
    else { return try await speak() }
    note("delete \(person.name)")
    try await audience.installation.deleteAttendee(person.record)
    people[index].isDeleted = true
    endPromotion(as: person.member.attendee)
    model.delete(person.member)
  }

  private mutating func speak() async throws {
    guard let person = pick(online), let client = connected[person.name]?.client else {
      return try await join()
    }
    let (mayPublish, isHeard) = (model.mayPublish(person.member), isHeard(person.member))
    // The server does not confirm a browser's message. If no client receives the message, the test
    // cannot determine whether the server accepted the message.
    guard !mayPublish || isHeard || client is Watcher else { return try await join() }
    lastText += 1
    let text = "message \(lastText)"
    note("\(person.name) says \(text)")
    guard try await client.speaks(text, expecting: mayPublish) == mayPublish else {
      throw Broken(rule: "\(person.name) may speak: \(mayPublish)", after: steps)
    }
    guard mayPublish else { return }
    for name in connected.keys {
      guard let reader = connected[name]?.person.member else { continue }
      if model.getsMessage(reader, from: person.member) { connected[name]?.texts.append(text) }
    }
  }

  /// Returns whether a connected client receives the messages of a speaker.
  private func isHeard(_ speaker: AudienceModel.Member) -> Bool {
    connected.values.contains { model.getsMessage($0.person.member, from: speaker) }
  }

  private mutating func killService() async throws {
    let installation = audience.installation
    let services = [
      installation.presence, installation.videoTiles, installation.media, installation.messaging,
    ]
    guard let service = services.randomElement(using: &random) else { return }
    note("kill \(service.name)")
    try await service.kill()
    try await service.start()
    try await installation.becomeReady()
  }

  // MARK: Checks

  /// For each client that is no longer in the meeting, waits until the client's session has ended.
  private mutating func hangUp() async throws {
    for (name, each) in connected where !model.isPresent(each.person.member) {
      note("\(name) hears the end")
      try await each.client.hearsItsEnd()
      await each.client.vanishes()
      connected[name] = nil
    }
  }

  private func check() async throws {
    for (name, each) in connected {
      do {
        try await each.client.sees(exactly: roster(seenIn: each.person.member.meeting))
        try await each.client.reads(exactly: each.texts)
        try await each.client.knows(ofDemotions: each.demotions)
      } catch {
        throw Broken(rule: "\(name): \(error)", after: steps)
      }
      guard each.client.demotionCount == each.demotions else {
        throw Broken(rule: "\(name) is told of each demotion once", after: steps)
      }
    }
  }

  private func roster(seenIn meeting: MeetingID) -> Set<String> {
    let attendees = model.roster(seenIn: meeting)
    return Set(
      people.filter { !isInReplica($0) && attendees.contains($0.member.attendee) }.map(\.name))
  }

  /// A broken rule, and the steps before the violation.
  struct Broken: Error, CustomStringConvertible {
    let rule: String
    let after: [String]

    var description: String { "\(rule), after \(after.joined(separator: ", "))" }
  }
}
