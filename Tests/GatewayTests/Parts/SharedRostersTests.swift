import Bus
import MeetingModel
import TestSupport
import Testing
import Wire

@testable import Gateway

/// What those get who come to a meeting: one roster, and what followed it.
@Suite(.timeLimit(.minutes(1))) struct SharedRostersTests {
  private static func roster(_ sequence: UInt64, of count: Int = 3) -> V1.RosterSnapshot {
    let entries = (0..<count).map { number in
      V1.RosterEntry(
        attendee: V1.AttendeeInfo(attendeeID: "id-\(number)", externalUserID: "name-\(number)"))
    }
    return V1.RosterSnapshot(epoch: 7, sequence: sequence, entries: entries, tick: 9)
  }

  @Test func `many who come at once are one question`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, server in
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

  @Test func `who comes later gets what followed, until that is too much`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, server in
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

  @Test func `who comes later gets the levels of now`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, server in
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

  @Test func `nobody gets a roster that does not hold him`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, server in
      let asked = server.serve(Self.roster(4))
      let meeting = try Meeting.sample()
      try await part.takeIn(try fixture.arriving(at: part, LocalLink(), in: meeting)).give()
      // His join is number 5, and its event is still under way.
      asked.roster = Self.roster(5, of: 4)
      let link = LocalLink()
      try await part.takeIn(try fixture.arriving(at: part, link, in: meeting)).give()
      _ = link.flush()
      #expect(link.events == [.rosterSnapshot(Self.roster(5, of: 4))])
      #expect(asked.count == 2)
    }
  }

  @Test func `nobody keeps the roster of a meeting that is not followed any more`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, server in
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

  @Test func `an audience gets its primary's roster, whatever its own stream says`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, server in
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

/// What presence is asked for rosters, and what it answers.
final class AskedRosters {
  fileprivate(set) var meetings: [String] = []
  fileprivate(set) var joins: [V1.JoinRequest] = []
  var roster: V1.RosterSnapshot

  init(_ roster: V1.RosterSnapshot) { self.roster = roster }

  var count: Int { meetings.count }
}

extension RequestServer {
  /// Lets everybody in, and answers with a roster when it is asked for one.
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
  /// A session that is being opened, and the streams that it will need.
  func arriving(
    at part: RosterPart, _ link: LocalLink, in meeting: Meeting? = nil,
    resuming id: SessionID? = nil, after positions: [MeetingStream: StreamCursor] = [:]
  ) throws -> Session {
    let session = try opening(link, in: meeting, resuming: id, after: positions)
    for meeting in [session.meeting, session.sourceMeeting] { _ = part.follower.hub(of: meeting) }
    return session
  }
}

extension V1.RosterSnapshot {
  /// The same without entries, as an answer to a join has it.
  var position: V1.RosterSnapshot {
    V1.RosterSnapshot(epoch: epoch, sequence: sequence, tick: tick)
  }
}
