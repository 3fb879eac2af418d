import MeetingModel
import Storage
import Testing

@Suite struct AttendeeTests {
  @Test func `an attendee and the token are read back unchanged`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting)
      #expect(ada.attendee.capabilities == .all)
      #expect(ada.attendee.meetingID == meeting)
      #expect(ada.attendee.createdAt == 2_000)
      #expect(!ada.attendee.isMutedByOperator)
      #expect(try await store.attendee(ada.attendee.id, in: meeting) == ada)
      #expect(try await store.listAttendees(in: meeting, limit: 9).elements == [ada])
    }
  }

  @Test func `an external user id has one attendee per meeting, who keeps the first capabilities`()
    async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting)
      let listener = try AttendeeCapabilities(audio: .receive, video: .none, content: .none)
      let again = try await store.createAttendee(
        attendeeRequest("ada", listener), in: meeting, at: 3)
      #expect(again == ada)
      let elsewhere = try await store.makeAttendee("ada", in: store.makeMeeting("token-2"))
      #expect(elsewhere.attendee.id != ada.attendee.id)
      #expect(elsewhere.joinToken != ada.joinToken)
    }
  }

  @Test func `names that differ in case or white space belong to different attendees`() async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      for name in ["ada", "Ada", "ada ", "àda"] {
        _ = try await store.makeAttendee(name, in: meeting)
      }
      #expect(try await store.names(in: meeting) == ["ada", "Ada", "ada ", "àda"])
    }
  }

  @Test func `capabilities that the meeting's features forbid are refused`() async throws {
    try await withStore { store in
      let features = try MeetingFeatures(video: .none, maxAttendees: nil)
      let meeting = try await store.makeMeeting(features: features)
      let error = await #expect(throws: StorageError.self) {
        try await store.createAttendee(attendeeRequest("ada", .all), in: meeting, at: 1)
      }
      #expect(error?.status.code == .invalidArgument)
      let ada = try await store.makeAttendee("ada", in: meeting)
      #expect(ada.attendee.capabilities == .defaults(in: features))
      #expect(try await store.attendee(ada.attendee.id, in: meeting) == ada)
    }
  }

  @Test func `a full meeting accepts no new attendees but returns existing attendees`() async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting(features: MeetingFeatures(maxAttendees: 2))
      let ada = try await store.makeAttendee("ada", in: meeting)
      _ = try await store.makeAttendee("grace", in: meeting)
      await #expect(throws: StorageError.meetingFull(capacity: 2)) {
        try await store.makeAttendee("alan", in: meeting)
      }
      #expect(try await store.makeAttendee("ada", in: meeting) == ada)
      try await store.deleteAttendee(ada.attendee.id, in: meeting, at: 3_000)
      _ = try await store.makeAttendee("alan", in: meeting)
      #expect(try await store.names(in: meeting) == ["grace", "alan"])
      let status = StorageError.meetingFull(capacity: 2).status
      #expect(status.code == .resourceExhausted && status.sessionStatus == .audioCallAtCapacity)
    }
  }

  @Test func `the installation's limit applies if it is below the meeting's limit`() async throws {
    var limits = InstallationLimits()
    limits.maxAttendees = 1
    try await withStore(limits) { store in
      let meeting = try await store.makeMeeting()
      _ = try await store.makeAttendee("ada", in: meeting)
      await #expect(throws: StorageError.meetingFull(capacity: 1)) {
        try await store.makeAttendee("grace", in: meeting)
      }
    }
  }

  @Test func `a batch creates one attendee for each name and returns the names that did not fit`()
    async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting(features: MeetingFeatures(maxAttendees: 3))
      let ada = try await store.makeAttendee("ada", in: meeting)
      let names = ["grace", "ada", "grace", "alan", "edsger", "barbara"]
      let enrolled = try await store.createAttendees(
        try names.map { try attendeeRequest($0) }, in: meeting, at: 1)
      #expect(
        enrolled.attendees.map(\.attendee.externalUserID.text) == ["grace", "ada", "alan"])
      #expect(enrolled.attendees[1] == ada)
      #expect(enrolled.unplaced.map(\.text) == ["edsger", "barbara"])
      #expect(try await store.names(in: meeting) == ["ada", "grace", "alan"])
    }
  }

  @Test func `one forbidden item prevents a whole batch`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting(
        features: MeetingFeatures(content: .none, maxAttendees: nil))
      await #expect(throws: StorageError.self) {
        try await store.createAttendees(
          [attendeeRequest("ada"), attendeeRequest("grace", .all)], in: meeting, at: 1)
      }
      #expect(try await store.names(in: meeting).isEmpty)
    }
  }

  @Test func `pages stay correct if attendees are deleted between two pages`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      var made: [IssuedAttendee] = []
      for index in 0..<6 { made.append(try await store.makeAttendee("user-\(index)", in: meeting)) }
      let first = try await store.listAttendees(in: meeting, limit: 2)
      #expect(first.elements == Array(made[..<2]))
      try await store.deleteAttendee(made[0].attendee.id, in: meeting, at: 3_000)
      try await store.deleteAttendee(made[1].attendee.id, in: meeting, at: 3_000)
      let second = try await store.listAttendees(
        in: meeting, after: #require(first.next), limit: 2)
      #expect(second.elements == Array(made[2..<4]))
      let third = try await store.listAttendees(
        in: meeting, after: #require(second.next), limit: 2)
      #expect(third.elements == Array(made[4...]))
      #expect(third.next == nil)
    }
  }

  @Test func `an attendee of another meeting is not found`() async throws {
    try await withStore { store in
      let (one, two) = (try await store.makeMeeting(), try await store.makeMeeting("token-2"))
      let ada = try await store.makeAttendee("ada", in: one).attendee.id
      await #expect(throws: StorageError.attendeeNotFound(ada)) {
        try await store.attendee(ada, in: two)
      }
      await #expect(throws: StorageError.attendeeNotFound(ada)) {
        try await store.deleteAttendee(ada, in: two, at: 3_000)
      }
      await #expect(throws: StorageError.attendeeNotFound(ada)) {
        try await store.setMutedByOperator(true, attendee: ada, in: two, at: 3_000)
      }
      await #expect(throws: StorageError.attendeeNotFound(ada)) {
        try await store.updateCapabilities(.all, attendee: ada, in: two)
      }
      #expect(try await store.names(in: one) == ["ada"])
    }
  }

  @Test func `the attendees of several meetings are returned by id, each in its current state`()
    async throws
  {
    try await withStore { store in
      let one = try await store.makeMeeting("one")
      let two = try await store.makeMeeting("two")
      let other = try await store.makeMeeting("other")
      let ada = try await store.makeAttendee("ada", in: one).attendee
      let ben = try await store.makeAttendee("ben", in: two).attendee
      _ = try await store.makeAttendee("cleo", in: other)
      let muted = try await store.setMutedByOperator(true, attendee: ben.id, in: two, at: 3_000)
      #expect(
        try await store.attendees(of: [one, two, .random()]) == [ada.id: ada, ben.id: muted])
      #expect(try await store.attendees(of: []).isEmpty)
    }
  }

  @Test func `operations on attendees of an unknown meeting fail with meetingNotFound`()
    async throws
  {
    try await withStore { store in
      let (meeting, ada) = (MeetingID.random(), AttendeeID.random())
      let error = StorageError.meetingNotFound(meeting)
      await #expect(throws: error) { try await store.makeAttendee("ada", in: meeting) }
      await #expect(throws: error) { try await store.createAttendees([], in: meeting, at: 1) }
      await #expect(throws: error) { try await store.attendee(ada, in: meeting) }
      await #expect(throws: error) { try await store.listAttendees(in: meeting, limit: 1) }
      await #expect(throws: error) { try await store.deleteAttendee(ada, in: meeting, at: 3_000) }
      await #expect(throws: error) {
        try await store.setMutedByOperator(true, attendee: ada, in: meeting, at: 3_000)
      }
      await #expect(throws: error) {
        try await store.updateCapabilities(.all, attendee: ada, in: meeting)
      }
      await #expect(throws: error) {
        try await store.updateCapabilities(.all, allExcept: [], in: meeting)
      }
      await #expect(throws: error) {
        try await store.endMeeting(meeting, because: .deleted, at: 1)
      }
    }
  }

  @Test func `a deleted attendee can be created again as a new attendee`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let first = try await store.makeAttendee("ada", in: meeting)
      try await store.deleteAttendee(first.attendee.id, in: meeting, at: 3_000)
      await #expect(throws: StorageError.attendeeNotFound(first.attendee.id)) {
        try await store.deleteAttendee(first.attendee.id, in: meeting, at: 3_000)
      }
      let second = try await store.makeAttendee("ada", in: meeting)
      #expect(second.attendee.id != first.attendee.id)
      #expect(second.joinToken != first.joinToken)
      #expect(second.attendee.ordinal > first.attendee.ordinal)
    }
  }

  @Test func `an operator's mute is stored until the operator lifts it`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting).attendee.id
      for isMuted in [true, true, false] {
        let now = try await store.setMutedByOperator(isMuted, attendee: ada, in: meeting, at: 3_000)
        #expect(now.isMutedByOperator == isMuted)
        #expect(try await store.attendee(ada, in: meeting).attendee == now)
      }
    }
  }

  @Test func `a change of capabilities keeps the id and the token`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      var ada = try await store.makeAttendee("ada", in: meeting)
      let listener = try AttendeeCapabilities(audio: .receive, video: .none, content: .none)
      ada.attendee.capabilities = listener
      let id = ada.attendee.id
      #expect(try await store.updateCapabilities(listener, attendee: id, in: meeting) == ada)
      #expect(try await store.attendee(id, in: meeting) == ada)
    }
  }

  @Test func `a batch update skips excluded attendees and returns the changed attendees`()
    async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting).attendee.id
      let grace = try await store.makeAttendee("grace", in: meeting).attendee.id
      let alan = try await store.makeAttendee("alan", in: meeting).attendee.id
      let listener = try AttendeeCapabilities(audio: .receive, video: .receive, content: .none)
      _ = try await store.updateCapabilities(listener, attendee: alan, in: meeting)
      let changed = try await store.updateCapabilities(
        listener, allExcept: [ada, .random()], in: meeting)
      #expect(changed.map(\.id) == [grace])
      #expect(changed.allSatisfy { $0.capabilities == listener })
      let all = try await store.listAttendees(in: meeting, limit: 9).elements
      #expect(all.map(\.attendee.capabilities) == [.all, listener, listener])
      #expect(try await store.makeAttendee("edsger", in: meeting).attendee.capabilities == .all)
    }
  }

  @Test func `a forbidden update of capabilities changes no attendee`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting(
        features: MeetingFeatures(content: .none, maxAttendees: nil))
      let ada = try await store.makeAttendee("ada", in: meeting)
      await #expect(throws: StorageError.self) {
        try await store.updateCapabilities(.all, attendee: ada.attendee.id, in: meeting)
      }
      await #expect(throws: StorageError.self) {
        try await store.updateCapabilities(.all, allExcept: [], in: meeting)
      }
      #expect(try await store.attendee(ada.attendee.id, in: meeting) == ada)
    }
  }
}
