import MeetingModel
import OwnerTestSupport
import Ownership
import TestSupport

@testable import Presence

/// Presence under random operations from a seed, and a client that applies all events.
///
/// The simulation throws a ``Violation`` at the first broken rule.
struct PresenceSimulation {
  private let seed: UInt64
  private var random: SeededGenerator
  private var step = 0
  private var now = ContinuousClock.now
  private var meetings: PresenceMeetings
  private var folds: [MeetingID: [RosterEntry]] = [:]
  private var endedSessions: [MeetingID: Set<SessionID>] = [:]

  /// Sessions that continue in replicas when a promotion ends, and may be promoted again.
  private var promotedSessions: Set<SessionID> = []
  private var runs: [GatewayName: UInt64] = [.a: 1, .b: 1]

  private static let rules = PresenceRules(
    maxAttendees: 4, endingMemory: .seconds(1_000_000))
  private static let kinds: [(MeetingID, RosterKind)] = [
    (.planning, .ordinary), (.review, .ordinary), (.audience, .replica(of: .planning)),
  ]

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    meetings = PresenceMeetings(rules: Self.rules, at: now)
    if Bool.random(using: &random) { meetings.expect([.a, .b], at: now) }
  }

  mutating func run(steps: Int) throws(Violation) {
    for number in 0..<steps {
      step = number
      try operate()
    }
    try finish()
  }

  // MARK: Operations

  private mutating func operate() throws(Violation) {
    let (meeting, kind) = pick(Self.kinds)
    let person = pick(people)
    let device = UInt8.random(in: 0...2, using: &random)
    let gateway = pick([GatewayName.a, .b])
    let attendee = person.attendee
    let session = person.session(device)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: try join(person, device, meeting, kind, gateway)
    case 30..<38: meetings.leave(session, in: meeting, at: now)
    case 38..<46:
      let silent = Duration.milliseconds(Int.random(in: 0...6_000, using: &random))
      meetings.detach(
        session, in: meeting, from: Bool.random(using: &random) ? gateway : nil,
        silentFor: silent, at: now)
    case 46..<52: try? meetings.setMuted(session, in: meeting, to: flip(), at: now)
    case 52: try? meetings.mute(attendee, in: meeting, at: now)
    case 53..<56: meetings.setMutedByOperator(attendee, in: meeting, to: flip(), at: now)
    case 56..<59:
      meetings.setCapabilities(attendee, in: meeting, to: capabilities(), at: now)
    case 59..<69: report(meeting)
    case 69..<71: meetings.endAttendee(attendee, in: meeting, at: now)
    case 71: meetings.endMeeting(meeting, with: Status(.notFound, "Over."), at: now)
    case 72..<78: announce(gateway)
    case 78..<80: runs[gateway, default: 0] += 1
    case 80..<84:
      if kind == .ordinary {
        promotedSessions.insert(person.description(device).id)
        try? meetings.promote(
          person.description(device), in: meeting, through: gateway, at: now)
      }
    case 84..<86: meetings.demote(session, in: meeting, by: nil, as: .demoted, at: now)
    case 86: try demote(attendee, meeting)
    case 87..<90: _ = meetings.gatewayIsAlive(gateway, run: runs[gateway] ?? 0, at: now)
    default:
      let longest = Bool.random(using: &random) ? 400 : 9_000
      try pass(.milliseconds(Int.random(in: 0...longest, using: &random)))
    }
    try settle()
  }

  private mutating func join(
    _ person: Person, _ device: UInt8, _ meeting: MeetingID, _ kind: RosterKind,
    _ gateway: GatewayName
  ) throws(Violation) {
    let arrival = pick([SessionArrival.start, .start, .resume])
    let description = person.description(
      device, mute: MuteState(isOwn: flip(), isByOperator: false), capabilities: capabilities(),
      kind: kind)
    let before = meetings.roster(of: meeting)?.attendeeCount ?? 0
    let mayOverfill = meetings.isRecovering && arrival == .resume
    do {
      _ = try meetings.join(
        description, in: meeting, through: gateway, run: runs[gateway] ?? 0, as: arrival,
        at: now)
    } catch { return }
    let count = meetings.roster(of: meeting)?.attendeeCount ?? 0
    try check(
      count <= max(before, Self.rules.maxAttendees) || mayOverfill,
      "a join brought \(count) attendees into the meeting")
    let isOver = endedSessions[meeting, default: []].contains(description.id)
    try check(!isOver, "an ended session is back")
  }

  private mutating func demote(_ attendee: AttendeeID, _ meeting: MeetingID) throws(Violation) {
    guard let wasPromoted = try? meetings.demote(attendee, in: meeting, at: now) else { return }
    let again = try? meetings.demote(attendee, in: meeting, at: now)
    try check(again != true, "a promotion ended twice")
    let isIn = meetings.roster(of: meeting)?.isMuted(attendee) != nil
    try check(!wasPromoted || !isIn || meetings.isRecovering, "a demoted attendee is still in")
  }

  private mutating func announce(_ gateway: GatewayName) {
    let sessions = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      let (meeting, kind) = pick(Self.kinds)
      return (
        meeting: meeting,
        session: pick(people).description(UInt8.random(in: 0...2, using: &random), kind: kind)
      )
    }
    let part = SessionAnnouncementPage(
      of: sessions, by: gateway, run: runs[gateway] ?? 0, isLast: flip())
    _ = meetings.announce(part, at: now)
  }

  private mutating func report(_ meeting: MeetingID) {
    let reports = (0..<3).map { _ in
      LevelReport(
        participant: pick(people).participant,
        volume: VolumeLevel.allCases.randomElement(using: &random),
        signal: flip() ? SignalStrength.allCases.randomElement(using: &random) : nil)
    }
    meetings.reportLevels(reports, in: meeting, at: now)
  }

  private mutating func pass(_ duration: Duration) throws(Violation) {
    let target = now + duration
    while let deadline = meetings.nextDeadline, deadline <= target {
      now = max(now, deadline)
      meetings.advance(to: now)
      try settle()
      if let next = meetings.nextDeadline { try check(next > now, "a deadline stays due") }
    }
    now = target
  }

  /// Checks the published levels. Then lets an hour pass without gateways: `presence` must drop all
  /// attendees and remove every meeting.
  private mutating func finish() throws(Violation) {
    try pass(.milliseconds(300))
    for (meeting, _) in Self.kinds {
      let entries = meetings.roster(of: meeting)?.entries ?? []
      try check(
        folds[meeting, default: []].map(Appearance.init(withLevelsOf:))
          == entries.map(Appearance.init(withLevelsOf:)),
        "levels were not told")
    }
    try pass(.seconds(3_600))
    let isForgotten = Self.kinds.allSatisfy { meetings.roster(of: $0.0) == nil }
    try check(isForgotten && meetings.gatewayCount == 0, "a meeting is left over")
    try check(meetings.nextDeadline == nil, "a deadline is left over")
    try check(folds.values.allSatisfy(\.isEmpty), "somebody never departed")
  }

  private var people: [Person] {
    (1...6).map { Person(number: $0) } + [Person.ada.content, Person.grace.content]
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private mutating func flip() -> Bool { Bool.random(using: &random) }

  private mutating func capabilities() -> AttendeeCapabilities {
    let silent = try? AttendeeCapabilities(audio: .receive, video: .receive, content: .receive)
    return flip() ? .all : silent ?? .all
  }

  // MARK: Promises

  private mutating func settle() throws(Violation) {
    let isRecovering = meetings.isRecovering
    for effect in meetings.takeEffects() {
      switch effect {
      case .decided(.publish(let event), let meeting):
        try fold(event, of: meeting, isRecovering: isRecovering)
      case .decided(.publishLevels(let update), let meeting): try fold(update, of: meeting)
      case .decided(.demote, _): try check(false, "a demotion was not done by the meetings")
      case .forget(let meeting):
        try check(folds[meeting, default: []].isEmpty, "a meeting with somebody was forgotten")
        endedSessions[meeting] = nil
      }
    }
    for (meeting, _) in Self.kinds {
      let entries = meetings.roster(of: meeting)?.entries ?? []
      try check(
        folds[meeting, default: []].map(Appearance.init(_:)) == entries.map(Appearance.init(_:)),
        "the events of \(meeting) do not add up to its snapshot")
    }
  }

  private mutating func fold(
    _ event: RosterEvent, of meeting: MeetingID, isRecovering: Bool
  ) throws(Violation) {
    try check(!event.isEmpty, "an event says nothing")
    for update in event.updates {
      switch update {
      case .presence(let changes):
        // Presence records some events that no client receives.
        if event.onlyFor == .nobody { continue }
        try check(meeting != .audience, "a replica shows somebody")
        for change in changes {
          try fold(change, of: meeting, mayDepart: !isRecovering || event.meetingEnded != nil)
        }
      case .mute(let changes):
        for change in changes {
          try modify(change.participant, in: meeting) {
            if $0.mute.isMuted != change.mute.isMuted {
              $0.volume = change.mute.isMuted ? .muted : .notSpeaking
            }
            $0.mute = change.mute
          }
        }
      case .capabilities(let participant, let capabilities):
        try modify(participant, in: meeting) { $0.capabilities = capabilities }
      }
    }
    endedSessions[meeting, default: []].formUnion(
      event.ended.map(\.session).filter { !promotedSessions.contains($0) })
    if event.meetingEnded != nil {
      try check(folds[meeting, default: []].isEmpty, "somebody stays in an ended meeting")
    }
  }

  private mutating func fold(
    _ change: PresenceChange, of meeting: MeetingID, mayDepart: Bool
  ) throws(Violation) {
    switch change {
    case .joined(let entry):
      try check(
        !folds[meeting, default: []].contains { $0.identity == entry.identity },
        "somebody joined twice")
      folds[meeting, default: []].append(entry)
    case .departed(let identity, _):
      try check(mayDepart, "somebody departed during recovery")
      let index = folds[meeting, default: []].firstIndex { $0.identity == identity }
      guard let index else { throw violation("somebody departed twice") }
      folds[meeting]?.remove(at: index)
    }
  }

  private mutating func fold(_ update: LevelsUpdate, of meeting: MeetingID) throws(Violation) {
    try check(!update.isEmpty, "an update of levels says nothing")
    for change in update.volumes {
      try modify(change.participant, in: meeting) { $0.volume = change.level }
    }
    for change in update.signals {
      try modify(change.participant, in: meeting) { $0.signal = change.strength }
    }
  }

  private mutating func modify(
    _ participant: ParticipantID, in meeting: MeetingID, _ body: (inout RosterEntry) -> Void
  ) throws(Violation) {
    if meeting == .audience { return }
    let index = folds[meeting, default: []].firstIndex { $0.identity.id == participant }
    guard let index, var entry = folds[meeting]?[index] else {
      throw violation("an absent participant changed")
    }
    body(&entry)
    try check(entry.mute.isMuted == (entry.volume == .muted), "volume and mute disagree")
    folds[meeting]?[index] = entry
  }

  private func check(_ holds: Bool, _ promise: String) throws(Violation) {
    if !holds { throw violation(promise) }
  }

  private func violation(_ what: String) -> Violation {
    Violation(description: "Seed \(seed), step \(step): \(what).")
  }

  /// A roster entry as other clients receive it. If an operator muted an attendee, the entry does
  /// not show whether the attendee also muted itself. If a check ignores levels, the entry omits
  /// values that may arrive a little later.
  private struct Appearance: Hashable {
    let identity: ParticipantIdentity
    let isMuted: Bool
    let isMutedByOperator: Bool
    let capabilities: AttendeeCapabilities
    var volume: VolumeLevel?
    var signal: SignalStrength?

    init(_ entry: RosterEntry) {
      identity = entry.identity
      isMuted = entry.mute.isMuted
      isMutedByOperator = entry.mute.isByOperator
      capabilities = entry.capabilities
    }

    init(withLevelsOf entry: RosterEntry) {
      self.init(entry)
      (volume, signal) = (entry.volume, entry.signal)
    }
  }
}
