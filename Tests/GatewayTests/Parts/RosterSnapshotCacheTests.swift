import Bus
import MeetingModel
import TestSupport
import Testing
import Wire

@testable import Gateway

/// Tests that a joining client receives one roster, and the events after this roster.
@Suite(.timeLimit(.minutes(5))) struct RosterSnapshotCacheTests {
  private static func roster(_ sequence: UInt64, of count: Int = 3) -> V1.RosterSnapshot {
    let entries = (0..<count).map { number in
      V1.RosterEntry(
        attendee: V1.AttendeeInfo(attendeeID: "id-\(number)", externalUserID: "name-\(number)"))
    }
    return V1.RosterSnapshot(epoch: 7, sequence: sequence, entries: entries, tick: 9)
  }

  @Test func `many simultaneous joins share one request for the roster`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let asked = server.serve(Self.roster(4))
      let meeting = try Meeting.sample()
      var links: [LocalLink] = []
      for _ in 0..<50 {
        let link = LocalLink()
        let session = try fixture.arriving(at: part, link, in: meeting)
        try await part.takeIn(session).give()
        _ = link.flush()
        links.append(link)
      }
      #expect(links.allSatisfy { $0.events == [.rosterSnapshot(Self.roster(4))] })
      #expect(asked.count == 1)
    }
  }

  @Test
  func `a late client gets an earlier client's roster unless too many events followed this roster`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let asked = server.serve(Self.roster(4))
      let meeting = try Meeting.sample()
      try await part.takeIn(try fixture.arriving(at: part, LocalLink(), in: meeting)).give()
      let hub = part.follower.hub(of: meeting.id)
      for sequence in UInt64(5)...8 {
        let event = V1.PackedEvent.numbered(sequence, epoch: 7)
        hub.follower.arrive(try #require(event.header), event.body)
      }
      let late = LocalLink()
      try await part.takeIn(try fixture.arriving(at: part, late, in: meeting)).give()
      _ = late.flush()
      #expect(late.events.first == .rosterSnapshot(Self.roster(4)))
      #expect(late.numbers == ["5", "6", "7", "8"])
      #expect(asked.count == 1)

      for sequence in UInt64(9)...90 {
        let event = V1.PackedEvent.numbered(sequence, epoch: 7)
        hub.follower.arrive(try #require(event.header), event.body)
      }
      asked.roster = Self.roster(90, of: 9)
      let latest = LocalLink()
      try await part.takeIn(try fixture.arriving(at: part, latest, in: meeting)).give()
      _ = latest.flush()
      #expect(latest.events == [.rosterSnapshot(Self.roster(90, of: 9))])
      #expect(asked.count == 2)
    }
  }

  @Test func `a client that joins late gets the current levels`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      server.serve(Self.roster(4))
      let meeting = try Meeting.sample()
      try await part.takeIn(try fixture.arriving(at: part, LocalLink(), in: meeting)).give()
      let hub = part.follower.hub(of: meeting.id)
      for (tick, id) in [(UInt64(10), "id-0"), (11, "id-1")] {
        let change = V1.LevelsChanged(
          epoch: 7, tick: tick, volumes: [.init(attendeeID: id, level: .high)])
        hub.deliver(
          V1.EventHeader(epoch: 7, tick: tick),
          V1.SessionEvents(events: [V1.SessionEvent(event: .levelsChanged(change))]).packed())
      }
      let link = LocalLink()
      try await part.takeIn(try fixture.arriving(at: part, link, in: meeting)).give()
      _ = link.flush()
      let levels = ["id-0", "id-1"].map { V1.VolumeChange(attendeeID: $0, level: .high) }
      #expect(
        link.events == [
          .rosterSnapshot(Self.roster(4)),
          .levelsChanged(V1.LevelsChanged(epoch: 7, tick: 11, volumes: levels)),
        ])
    }
  }

  @Test func `each client's roster contains the client itself`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let asked = server.serve(Self.roster(4))
      let meeting = try Meeting.sample()
      try await part.takeIn(try fixture.arriving(at: part, LocalLink(), in: meeting)).give()
      // The join of the second client has number 5, and the event of this join has not arrived yet.
      asked.roster = Self.roster(5, of: 4)
      let link = LocalLink()
      try await part.takeIn(try fixture.arriving(at: part, link, in: meeting)).give()
      _ = link.flush()
      #expect(link.events == [.rosterSnapshot(Self.roster(5, of: 4))])
      #expect(asked.count == 2)
    }
  }

  @Test func `joins alone cause no second request to presence`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let history = History(seed: 1)
      let asked = history.serve(server)
      let meeting = try Meeting.sample()
      let hub = part.follower.hub(of: meeting.id)
      history.onPublish = { header, body in hub.follower.arrive(header, body) }
      for _ in 0..<60 {
        let session = try fixture.arriving(at: part, LocalLink(), in: meeting)
        try await part.takeIn(session).give()
      }
      #expect(asked.count == 1)
    }
  }

  @Test(arguments: 1...10)
  func `clients that join or return get a roster of exactly the attendees who are present`(
    seed: UInt64
  ) async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let history = History(seed: seed)
      history.serve(server)
      let meeting = try Meeting.sample()
      let hub = part.follower.hub(of: meeting.id)
      for step in 0..<200 {
        if step > 0 { history.step() }
        // The events of some turns are still in transit when a client joins.
        if history.tosses(3) { try deliver(history.takeEvents(), to: hub) }
        guard history.tosses(6) || step == 0 else { continue }
        let isBack = history.tosses(2)
        let link = LocalLink()
        let session = try fixture.arriving(
          at: part, link, in: meeting, resuming: isBack ? .random() : nil,
          after: isBack ? [.roster: history.somePosition()] : [:])
        let delivery = try await part.takeIn(session)
        try deliver(history.takeEvents(), to: hub)
        delivery.give()
        _ = link.flush()
        #expect(link.events.fold == history.present, "step \(step)")
        #expect(link.events.tellsOfJoinsAlone, "step \(step)")
        if isBack { #expect(link.events.count == 1, "step \(step)") }
      }
    }
  }

  private func deliver(_ events: [V1.PackedEvent], to hub: StreamHub) throws {
    for event in events { hub.follower.arrive(try #require(event.header), event.body) }
  }

  @Test func `the roster of a meeting that is no longer followed is discarded`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let meeting = try Meeting.sample()
      _ = part.follower.hub(of: meeting.id)
      server.on(V1.PresenceMethods.snapshot) { _, call in
        part.follower.forgetIfUnused(meeting.id)
        call.reply(Self.roster(4))
      }
      let status = await refusal { () async throws(Status) in
        _ = try await part.shared.roster(of: meeting.id)
      }
      #expect(status?.code == .unavailable)
    }
  }

  @Test func `clients of a replica get the roster of the primary, not of the replica`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let asked = server.serve(Self.roster(4))
      let primary = try Meeting.sample()
      let replica = try Meeting.sample(primary: primary.id)
      let link = LocalLink()
      let session = try fixture.arriving(at: part, link, in: replica)
      try await part.takeIn(session).give()
      _ = link.flush()
      #expect(link.events == [.rosterSnapshot(Self.roster(4))])
      #expect(asked.meetings == [primary.id.text])
      #expect(part.meeting(heardBy: session) == primary.id)
      #expect(part.meeting(endingUnseen: session) == replica.id)
    }
  }
}

/// The requests to presence for rosters, and presence's answers.
final class AskedRosters {
  fileprivate(set) var meetings: [String] = []
  fileprivate(set) var joins: [V1.JoinRequest] = []
  var roster: V1.RosterSnapshot

  init(_ roster: V1.RosterSnapshot) { self.roster = roster }

  var count: Int { meetings.count }
}

extension RequestServer {
  /// Accepts every join, and answers requests for a roster with the given roster.
  @discardableResult
  func serve(_ roster: V1.RosterSnapshot, wasPresent: Bool = false) -> AskedRosters {
    let asked = AskedRosters(roster)
    on(V1.PresenceMethods.join) { request, call in
      asked.joins.append(request)
      call.reply(V1.JoinReply(roster: asked.roster.position, wasPresent: wasPresent, term: 3))
    }
    on(V1.PresenceMethods.snapshot) { request, call in
      asked.meetings.append(request.meetingID)
      call.reply(asked.roster)
    }
    return asked
  }
}

extension KeeperFixture {
  /// Returns a session that is opening, and the streams that it needs.
  func arriving(
    at part: PresenceServiceConnector, _ link: LocalLink, in meeting: Meeting? = nil,
    resuming id: SessionID? = nil, after positions: [MeetingStream: StreamCursor] = [:]
  ) throws -> GatewayClientSession {
    let session = try opening(link, in: meeting, resuming: id, after: positions)
    for meeting in [session.meeting, session.sourceMeeting] { _ = part.follower.hub(of: meeting) }
    return session
  }
}

extension V1.RosterSnapshot {
  /// This roster without its entries, as the answer to a join contains it.
  var position: V1.RosterSnapshot {
    V1.RosterSnapshot(epoch: epoch, sequence: sequence, tick: tick)
  }
}

/// A meeting in which attendees join, leave, mute and unmute, as presence sees them.
private final class History {
  private var random: SeededGenerator
  private(set) var present: [String: Bool] = [:]
  private var sequence: UInt64 = 0
  private var untold: [V1.PackedEvent] = []
  private var names = 0

  /// Called with each published event.
  var onPublish: (V1.EventHeader, [UInt8]) -> Void = { _, _ in }

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// On average, returns true in one of `sides` calls.
  func tosses(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &random) == 0 }

  /// Returns a position in another numbering, or a position whose next events the stream no longer
  /// keeps.
  func somePosition() -> StreamCursor {
    StreamCursor(epoch: tosses(2) ? 99 : 7, sequence: sequence / 2)
  }

  /// Returns the events that the owner published since the last call.
  func takeEvents() -> [V1.PackedEvent] {
    defer { untold = [] }
    return untold
  }

  func step() {
    guard let somebody = present.keys.sorted().randomElement(using: &random), !tosses(3) else {
      names += 1
      return join("guest-\(names)")
    }
    guard tosses(2) else {
      let isMuted = !(present[somebody] ?? false)
      present[somebody] = isMuted
      return publish(
        .muteChanged(.init(changes: [.init(attendeeID: somebody, isMuted: isMuted)])))
    }
    present[somebody] = nil
    publish(
      .presenceChanged(
        .init(changes: [.init(attendee: .init(attendeeID: somebody), state: .left)])))
  }

  private func join(_ id: String) {
    present[id] = false
    publish(
      .presenceChanged(
        .init(changes: [.init(attendee: .init(attendeeID: id), state: .joined)])))
  }

  private func publish(_ event: V1.SessionEvent.Event) {
    sequence += 1
    let header = V1.EventHeader(epoch: 7, sequence: sequence)
    let body = V1.SessionEvents(events: [V1.SessionEvent(event: event)]).packed()
    untold.append(V1.PackedEvent(header: header, body: body))
    onPublish(header, body)
  }

  private var snapshot: V1.RosterSnapshot {
    V1.RosterSnapshot(
      epoch: 7, sequence: sequence,
      entries: present.sorted { $0.key < $1.key }.map {
        V1.RosterEntry(attendee: V1.AttendeeInfo(attendeeID: $0.key), isMuted: $0.value)
      })
  }

  /// Answers as presence does, and counts the requests for the roster.
  @discardableResult
  func serve(_ server: RequestServer) -> AskedRosters {
    let asked = AskedRosters(snapshot)
    server.on(V1.PresenceMethods.join) { [self] request, call in
      if !request.isResume { join(request.session?.participantID ?? "") }
      call.reply(
        V1.JoinReply(roster: snapshot.position, wasPresent: request.isResume, term: 3))
    }
    server.on(V1.PresenceMethods.snapshot) { [self] request, call in
      asked.meetings.append(request.meetingID)
      call.reply(snapshot)
    }
    server.on(V1.PresenceMethods.replay) { [self] _, call in
      // Sometimes presence refuses to replay events, and the connector then requests the roster.
      guard !tosses(4) else { return call.fail(Status(.unavailable, "It restarts.")) }
      call.reply(V1.ReplayReply(outcome: .snapshot(snapshot)))
    }
    return asked
  }
}

extension [V1.SessionEvent.Event] {
  /// The present attendees according to a client's events, and whether each is muted.
  fileprivate var fold: [String: Bool] {
    var roster: [String: Bool] = [:]
    for event in self {
      switch event {
      case .rosterSnapshot(let snapshot):
        roster = [:]
        for entry in snapshot.entries { roster[entry.attendee?.attendeeID ?? ""] = entry.isMuted }
      case .presenceChanged(let change):
        for one in change.changes {
          roster[one.attendee?.attendeeID ?? ""] = one.state == .joined ? one.isMuted : nil
        }
      case .muteChanged(let change):
        for one in change.changes { roster[one.attendeeID] = one.isMuted }
      default: break
      }
    }
    return roster
  }

  /// Whether there is exactly one roster, and only joins follow this roster.
  fileprivate var tellsOfJoinsAlone: Bool {
    guard case .rosterSnapshot? = first else { return false }
    return dropFirst().allSatisfy { event in
      guard case .presenceChanged(let change) = event else { return false }
      return change.changes.allSatisfy { $0.state == .joined }
    }
  }
}
