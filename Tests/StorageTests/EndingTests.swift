import MeetingModel
import Storage
import Testing

@Suite struct EndingTests {
  private func due(_ store: MeetingStore, at now: Int64) async throws -> [EndedMeeting] {
    try await store.meetingsToEnd(
      now: now, idleAfter: .seconds(300), maximumAge: .seconds(86_400))
  }

  @Test func `operations on an ended meeting fail with meetingNotFound`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting).attendee.id
      #expect(
        try await store.endMeeting(meeting, because: .deleted, at: 1)
          == [EndedMeeting(meeting: meeting, cause: .deleted)])
      let error = StorageError.meetingNotFound(meeting)
      await #expect(throws: error) { try await store.meeting(meeting) }
      await #expect(throws: error) { try await store.attendee(ada, in: meeting) }
      await #expect(throws: error) { try await store.makeAttendee("grace", in: meeting) }
      await #expect(throws: error) {
        try await store.endMeeting(meeting, because: .deleted, at: 2)
      }
      #expect(try await store.listMeetings(limit: 1).elements.isEmpty)
    }
  }

  @Test func `a meeting without any attendee must end after five minutes`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting(at: 1_000)
      #expect(try await due(store, at: 300_999).isEmpty)
      #expect(
        try await due(store, at: 301_000) == [EndedMeeting(meeting: meeting, cause: .idle)])
    }
  }

  @Test func `a meeting must end five minutes after its last occupancy`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting(at: 1_000)
      let other = try await store.makeMeeting("token-2", at: 1_000)
      try await store.noteOccupied([meeting, .random()], at: 200_000)
      #expect(
        try await due(store, at: 499_999) == [EndedMeeting(meeting: other, cause: .idle)])
      #expect(try await due(store, at: 500_000).map(\.meeting) == [meeting, other])
    }
  }

  @Test func `a gateway with a slow clock does not make a meeting look idle`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting(at: 1_000)
      try await store.noteOccupied([meeting], at: 200_000)
      try await store.noteOccupied([meeting], at: 100_000)
      try await store.noteOccupied([], at: 300_000)
      #expect(try await due(store, at: 499_999).isEmpty)
    }
  }

  @Test func `an empty replica does not have to end`() async throws {
    try await withStore { store in
      let primary = try await store.makeMeeting(at: 1_000)
      let replica = try await store.makeMeeting("token-2", primary: primary, at: 1_000)
      #expect(try await due(store, at: 1_000_000).map(\.meeting) == [primary])
      #expect(
        try await due(store, at: 86_401_000) == [
          EndedMeeting(meeting: primary, cause: .expired),
          EndedMeeting(meeting: replica, cause: .expired),
        ])
    }
  }

  @Test func `a primary is kept until five minutes after its replicas were last occupied`()
    async throws
  {
    try await withStore { store in
      let primary = try await store.makeMeeting(at: 1_000)
      let other = try await store.makeMeeting("token-2", at: 1_000)
      let replica = try await store.makeMeeting("token-3", primary: primary, at: 2_000)
      // A replica that has had no attendee does not prevent the end of its primary.
      #expect(try await due(store, at: 301_000).map(\.meeting) == [primary, other])
      try await store.noteOccupied([replica], at: 200_000)
      #expect(try await due(store, at: 499_999).map(\.meeting) == [other])
      #expect(try await due(store, at: 500_000).map(\.meeting) == [primary, other])
    }
  }

  @Test func `an occupied meeting must end after a day`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting(at: 1_000)
      try await store.noteOccupied([meeting], at: 86_400_999)
      #expect(try await due(store, at: 86_400_999).isEmpty)
      #expect(
        try await due(store, at: 86_401_000) == [EndedMeeting(meeting: meeting, cause: .expired)])
    }
  }
}
