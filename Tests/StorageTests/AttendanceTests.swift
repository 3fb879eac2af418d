import MeetingModel
import Testing

@testable import Storage

@Suite struct AttendanceTests {
  private let ada = AttendeeID.random()
  private let ben = AttendeeID.random()

  private func who(_ attendee: AttendeeID, asContent: Bool = false) throws -> ParticipantIdentity {
    let id = ParticipantID(attendee, modality: asContent ? .content : nil)
    return ParticipantIdentity(
      id: id, externalUserID: try ExternalUserID(name(of: attendee)))
  }

  private func name(of attendee: AttendeeID) -> String { attendee == ada ? "ada" : "ben" }

  private func came(
    _ attendee: AttendeeID, _ sequence: UInt64, at time: Int64, asContent: Bool = false
  ) throws -> JoinLeaveHistory.Change {
    .init(sequence: sequence, who: try who(attendee, asContent: asContent), at: time)
  }

  private func went(
    _ attendee: AttendeeID, _ sequence: UInt64, at time: Int64,
    because reason: DepartureReason = .client, asContent: Bool = false
  ) throws -> JoinLeaveHistory.Change {
    .init(
      sequence: sequence, who: try who(attendee, asContent: asContent), departure: reason, at: time)
  }

  private func history(
    of meeting: MeetingID, _ sequences: ClosedRange<UInt64>, epoch: UInt64 = 7,
    _ changes: [JoinLeaveHistory.Change]
  ) -> JoinLeaveHistory {
    JoinLeaveHistory(of: meeting, epoch: epoch, sequences: sequences, changes: changes)
  }

  /// Returns one line for each session: the attendee, the start, the end and the reason.
  private func stays(in meeting: MeetingID, _ store: MeetingStore) async throws -> [String] {
    try await store.attendance(of: meeting, limit: 100).elements.map { session in
      let end = session.left.map { "\($0.at) \($0.reason.rawValue)" } ?? "now"
      return "\(session.externalUserID.text) \(session.joinedAt) \(end)"
    }
  }

  private func kinds(in meeting: MeetingID, _ store: MeetingStore) async throws -> [String] {
    try await store.events(of: meeting, limit: 100).map(\.kind.rawValue)
  }

  @Test func `repeated reports of joins and leaves are recorded once`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let whole = history(
        of: meeting, 1...3,
        [try came(ada, 1, at: 10), try came(ben, 2, at: 20), try went(ada, 3, at: 30)])
      for _ in 0..<3 { #expect(try await store.record([whole]).isEmpty) }
      // Another gateway reports a part of the history, and the events after this part.
      let rest = history(of: meeting, 2...4, [try came(ben, 2, at: 20), try came(ada, 4, at: 40)])
      #expect(try await store.record([rest]).isEmpty)
      #expect(
        try await stays(in: meeting, store) == ["ada 10 30 Client", "ben 20 now", "ada 40 now"])
      #expect(try await store.rosterPlace(of: meeting) == RosterPosition(epoch: 7, sequence: 4))
      #expect(
        try await kinds(in: meeting, store)
          == [
            "MeetingStarted", "AttendeeJoined", "AttendeeJoined", "AttendeeLeft", "AttendeeJoined",
          ]
      )
    }
  }

  @Test func `display names are stored with each session and removed by an erasure`()
    async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let hanako = ParticipantIdentity(
        id: ParticipantID(ada), externalUserID: try ExternalUserID("guest-1"),
        displayName: try DisplayName("花子 \u{2067}עדה\u{2069} 👨‍👩‍👧‍👦"))
      let changes = [
        JoinLeaveHistory.Change(sequence: 1, who: hanako, at: 10), try came(ben, 2, at: 20),
      ]
      _ = try await store.record([history(of: meeting, 1...2, changes)])
      func names() async throws -> [DisplayName?] {
        try await store.attendance(of: meeting, limit: 10).elements.map(\.displayName)
      }
      #expect(try await names() == [hanako.displayName, nil])
      _ = try await store.erase(hanako.externalUserID, and: [], at: 30)
      #expect(try await names() == [nil])
    }
  }

  @Test func `a history with a gap is refused, and the expected position is returned`() async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let late = history(of: meeting, 2...2, [try came(ada, 2, at: 10)])
      #expect(
        try await store.record([late]) == [meeting: RosterPosition(epoch: nil, sequence: 0)])
      #expect(try await store.record([history(of: meeting, 1...1, [])]).isEmpty)
      #expect(try await store.record([late]).isEmpty)
      for other in [
        history(of: meeting, 4...4, [try went(ada, 4, at: 40)]),
        history(of: meeting, 3...3, epoch: 8, [try went(ada, 3, at: 40)]),
      ] {
        #expect(
          try await store.record([other]) == [meeting: RosterPosition(epoch: 7, sequence: 2)])
      }
      #expect(try await stays(in: meeting, store) == ["ada 10 now"])
    }
  }

  @Test func `a recorded roster ends the sessions of attendees that are missing from the roster`()
    async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      _ = try await store.record([
        history(of: meeting, 1...2, [try came(ada, 1, at: 10), try came(ben, 2, at: 20)])
      ])
      let state = RosterState(
        of: meeting, epoch: 9, sequence: 5,
        present: [(try who(ben), 21), (try who(ben, asContent: true), 22)])
      try await store.record(state, at: 100)
      #expect(try await stays(in: meeting, store) == ["ada 10 100 Unknown", "ben 20 now"])
      // An older state of the same epoch changes nothing.
      try await store.record(
        RosterState(of: meeting, epoch: 9, sequence: 4, present: []), at: 200)
      #expect(try await stays(in: meeting, store).last == "ben 20 now")
      #expect(try await store.rosterPlace(of: meeting) == RosterPosition(epoch: 9, sequence: 5))
      #expect(try await kinds(in: meeting, store).last == "AttendeeDropped")
    }
  }

  @Test func `an empty roster ends the meeting's open sessions at the time of the last occupancy`()
    async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting(at: 5)
      _ = try await store.record([
        history(of: meeting, 1...2, [try came(ada, 1, at: 10), try came(ben, 2, at: 90)])
      ])
      try await store.noteOccupied([meeting], at: 70)
      #expect(try await store.strayRecords(unoccupiedSince: 70, limit: 9).isEmpty)
      #expect(try await store.strayRecords(unoccupiedSince: 71, limit: 9) == [meeting])
      try await store.record(
        RosterState(of: meeting, epoch: 9, sequence: 1, present: []), at: 1_000)
      // No session ends before its start.
      #expect(
        try await stays(in: meeting, store) == ["ada 10 70 Unknown", "ben 90 90 Unknown"])
      #expect(try await store.strayRecords(unoccupiedSince: 1_000, limit: 9).isEmpty)
    }
  }

  @Test func `the attendance of a new epoch is recorded from the start of the epoch`() async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      _ = try await store.record([
        history(of: meeting, 1...2, [try came(ada, 1, at: 10), try came(ben, 2, at: 20)])
      ])
      // The history repeats the joins of Ada and Ben, and adds Ada's leave and her second stay. The
      // leave and the second join of Ben follow the reported state.
      let changes = [
        try came(ada, 1, at: 10), try came(ben, 2, at: 20), try went(ada, 3, at: 30),
        try came(ada, 4, at: 40), try went(ada, 5, at: 41, because: .connectionLost),
        try went(ben, 6, at: 50), try came(ben, 7, at: 60),
      ]
      let state = RosterState(of: meeting, epoch: 9, sequence: 5, present: [(try who(ben), 20)])
      let whole = history(of: meeting, 1...7, epoch: 9, changes)
      for _ in 0..<2 { try await store.record(state, after: whole, at: 100) }
      #expect(
        try await stays(in: meeting, store)
          == ["ada 10 30 Client", "ben 20 now", "ada 40 41 ConnectionLost"])
      #expect(try await store.rosterPlace(of: meeting) == RosterPosition(epoch: 9, sequence: 5))
    }
  }

  @Test func `a content share has events but no attendance`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      _ = try await store.record([
        history(
          of: meeting, 1...4,
          [
            try came(ada, 1, at: 10), try came(ada, 2, at: 20, asContent: true),
            try went(ada, 3, at: 30, asContent: true),
            try went(ada, 4, at: 40, because: .connectionLost, asContent: true),
          ])
      ])
      #expect(try await stays(in: meeting, store) == ["ada 10 now"])
      #expect(
        try await kinds(in: meeting, store).dropFirst() == [
          "AttendeeJoined", "AttendeeContentJoined", "AttendeeContentLeft",
          "AttendeeContentDropped",
        ])
    }
  }

  @Test func `the end of a meeting ends all its sessions and the recording of attendance`()
    async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      _ = try await store.record([history(of: meeting, 1...1, [try came(ada, 1, at: 10)])])
      _ = try await store.endMeeting(meeting, because: .deleted, at: 50)
      #expect(
        try await store.record([history(of: meeting, 2...2, [try went(ada, 2, at: 60)])]).isEmpty)
      try await store.record(
        RosterState(of: meeting, epoch: 9, sequence: 1, present: [(try who(ben), 60)]), at: 70)
      #expect(try await stays(in: meeting, store) == ["ada 10 50 MeetingEnded"])
      #expect(try await kinds(in: meeting, store).suffix(2) == ["AttendeeLeft", "MeetingEnded"])
      #expect(try await store.rosterPlace(of: meeting) == nil)
      #expect(try await store.meetingRecord(meeting).endedAt == 50)
    }
  }

  @Test func `sessions over the limit are counted but not stored`() async throws {
    try await withFixture { fixture in
      let store = try fixture.open(keeping: RecordRetention(maxSessions: 2))
      let meeting = try await store.makeMeeting()
      var changes: [JoinLeaveHistory.Change] = []
      for turn in UInt64(0)..<4 {
        changes.append(try came(ada, 2 * turn + 1, at: 10))
        changes.append(try went(ada, 2 * turn + 2, at: 20))
      }
      _ = try await store.record([history(of: meeting, 1...8, changes)])
      #expect(try await stays(in: meeting, store).count == 2)
      #expect(try await store.meetingRecord(meeting).unrecorded == 2)
    }
  }

  @Test func `attendance is returned in pages`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      _ = try await store.record([
        history(of: meeting, 1...2, [try came(ada, 1, at: 10), try came(ben, 2, at: 20)])
      ])
      let first = try await store.attendance(of: meeting, limit: 1)
      #expect(first.elements.map(\.attendee) == [ada])
      let second = try await store.attendance(of: meeting, after: #require(first.next), limit: 1)
      #expect(second.elements.map(\.attendee) == [ben])
      #expect(second.next == nil)
      let unknown = MeetingID.random()
      await #expect(throws: StorageError.meetingNotFound(unknown)) {
        try await store.attendance(of: unknown, limit: 1)
      }
    }
  }

  @Test func `an erasure removes all records of a user and prevents further records`() async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      _ = try await store.record([
        history(of: meeting, 1...2, [try came(ada, 1, at: 10), try came(ben, 2, at: 20)])
      ])
      let erasure = try await store.erase(ExternalUserID("ada"), and: [], at: 30)
      #expect((erasure.sessions, erasure.events, erasure.attendees) == (1, 1, [ada]))
      _ = try await store.record([
        history(of: meeting, 3...4, [try went(ada, 3, at: 40), try came(ada, 4, at: 50)])
      ])
      try await store.record(
        RosterState(
          of: meeting, epoch: 9, sequence: 1, present: [(try who(ada), 60), (try who(ben), 20)]),
        at: 70)
      #expect(try await stays(in: meeting, store) == ["ben 20 now"])
      let events = try await store.events(of: meeting, limit: 9)
      #expect(events.map(\.sequence) == [1, 2, 3])
      #expect(events.map { $0.externalUserID?.text } == [nil, nil, "ben"])
      // After a day, the store no longer rejects late events about the attendee.
      try await store.purgeRecords(endedBefore: 0, erasedBefore: 31)
      try await store.record(
        RosterState(
          of: meeting, epoch: 9, sequence: 2, present: [(try who(ada), 80), (try who(ben), 20)]),
        at: 90)
      #expect(try await stays(in: meeting, store) == ["ben 20 now", "ada 80 now"])
    }
  }

  @Test func `an erasure removes the user's id as the host of a meeting`() async throws {
    try await withStore { store in
      var request = try meetingRequest()
      request.hostID = try MeetingHostID("ada")
      let meeting = try await store.createMeeting(request, at: 1).meeting.id
      #expect(try await store.erase(ExternalUserID("ben"), and: [], at: 2).hosted == 0)
      #expect(try await store.meeting(meeting).hostID?.text == "ada")
      #expect(try await store.erase(ExternalUserID("ada"), and: [], at: 2).hosted == 1)
      #expect(try await store.meeting(meeting).hostID == nil)
    }
  }
}
