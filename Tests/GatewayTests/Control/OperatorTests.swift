import MeetingModel
import Storage
import Synchronization
import Testing
import Wire

@testable import Gateway

@Suite struct OperatorTests {
  @Test func `a meeting request without values gets defaults`() async throws {
    try await withControl { fixture in
      let first = try await fixture.control.create(V1.CreateMeetingRequest())
      let second = try await fixture.control.create(V1.CreateMeetingRequest())
      #expect(first.meetingID != second.meetingID)
      #expect(first.externalMeetingID.hasPrefix("meeting-"))
      #expect(first.mediaRegion == "us-east-1")
      #expect(first.maxAttendees == 250)
      #expect(first.gatewayURL == "ipc:///run/carillon/gateway-a.client.sock")
      #expect(first.createdAtMs == 1_000_000)
      #expect((first.attendees, first.present) == (0, 0))
    }
  }

  @Test func `a request token creates one meeting and is refused in a different request`()
    async throws
  {
    try await withControl { fixture in
      var request = V1.CreateMeetingRequest(mediaRegion: "attic", clientRequestToken: "token-1")
      let first = try await fixture.control.create(request)
      #expect(try await fixture.control.create(request).meetingID == first.meetingID)
      request.maxAttendees = 10
      let error = await #expect(throws: Status.self) { try await fixture.control.create(request) }
      #expect(error?.code == .alreadyExists)
    }
  }

  @Test(arguments: [
    V1.CreateMeetingRequest(externalMeetingID: "x"),
    V1.CreateMeetingRequest(mediaRegion: "nowhere"),
    V1.CreateMeetingRequest(maxAttendees: 251),
    V1.CreateMeetingRequest(primaryMeetingID: "primary"),
    V1.CreateMeetingRequest(primaryMeetingID: "0d1e2f3a-0000-4000-8000-000000000001"),
    V1.CreateMeetingRequest(clientRequestToken: "a b"),
  ])
  func `invalid values of a meeting are refused`(request: V1.CreateMeetingRequest) async throws {
    try await withControl { fixture in
      let error = await #expect(throws: Status.self) { try await fixture.control.create(request) }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test func `meetings are listed in pages with the number of present attendees`() async throws {
    try await withControl { fixture in
      var ids: [String] = []
      for number in 0..<3 { ids.append(try await fixture.makeMeeting("token-\(number)").text) }
      let meeting = try MeetingID(ids[0])
      let ada = try await fixture.makeAttendee("ada", in: meeting)
      _ = try await fixture.makeAttendee("grace", in: meeting)
      fixture.effects.state.withLock { $0.rosters[meeting] = [ada] }
      let control = fixture.control

      var page = try await control.list(V1.ListMeetingsRequest(limit: 2))
      #expect(page.meetings.map(\.meetingID) == [ids[0], ids[1]])
      #expect(page.hasMore)
      #expect((page.meetings[0].attendees, page.meetings[0].present) == (2, 1))
      page = try await control.list(V1.ListMeetingsRequest(afterMeetingID: ids[1], limit: 2))
      #expect(page.meetings.map(\.meetingID) == [ids[2]])
      #expect(!page.hasMore)
      page = try await control.list(V1.ListMeetingsRequest(afterMeetingID: ids[2]))
      #expect(page.meetings.isEmpty)
      #expect(!page.hasMore)

      try await control.endMeeting(MeetingID(ids[1]), because: .deleted)
      let error = await #expect(throws: Status.self) {
        try await control.list(V1.ListMeetingsRequest(afterMeetingID: ids[1]))
      }
      #expect(error?.code == .aborted)
      let tooMany = await #expect(throws: Status.self) {
        try await control.list(V1.ListMeetingsRequest(limit: 1_001))
      }
      #expect(tooMany?.code == .invalidArgument)
    }
  }

  @Test func `meetings are listed even if presence is unreachable`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      fixture.effects.state.withLock { $0.failure = Status(.unavailable, "Not now.") }
      let page = try await fixture.control.list(V1.ListMeetingsRequest())
      #expect(page.meetings.map(\.meetingID) == [meeting.text])
      let shown = try await fixture.control.show(V1.GetMeetingRequest(meetingID: meeting.text))
      #expect(shown.present == 0)
    }
  }

  @Test func `only the creation of an attendee returns the attendee's token`() async throws {
    try await withControl { fixture in
      let control = fixture.control
      let meeting = try await fixture.makeMeeting()
      let made = try await control.create(
        V1.CreateAttendeeRequest(
          meetingID: meeting.text, externalUserID: "ada",
          capabilities: V1.Capabilities(audio: .receive, video: .none, content: .send)))
      #expect(!made.joinToken.isEmpty)
      #expect(made.capabilities == V1.Capabilities(audio: .receive, video: .none, content: .send))
      fixture.effects.state.withLock {
        $0.rosters[meeting] = [try? AttendeeID(made.attendeeID)].compactMap { $0 }
      }
      let page = try await control.list(V1.ListAttendeesRequest(meetingID: meeting.text))
      #expect(page.attendees.map(\.attendeeID) == [made.attendeeID])
      #expect(page.attendees.map(\.joinToken) == [""])
      #expect(page.attendees.map(\.isPresent) == [true])
    }
  }

  @Test func `attendees are listed in pages`() async throws {
    try await withControl { fixture in
      let control = fixture.control
      let meeting = try await fixture.makeMeeting()
      var ids: [AttendeeID] = []
      for name in ["ada", "grace", "edsger"] {
        ids.append(try await fixture.makeAttendee(name, in: meeting))
      }
      func page(after id: AttendeeID) async throws -> V1.ListAttendeesReply {
        try await control.list(
          V1.ListAttendeesRequest(meetingID: meeting.text, afterAttendeeID: id.text, limit: 1))
      }
      #expect(try await page(after: ids[0]).attendees.map(\.externalUserID) == ["grace"])
      #expect(try await page(after: ids[0]).hasMore)
      #expect(try await !page(after: ids[1]).hasMore)
      try await control.deleteAttendee(ids[1], in: meeting)
      let error = await #expect(throws: Status.self) { _ = try await page(after: ids[1]) }
      #expect(error?.code == .aborted)
    }
  }

  @Test func `an operator mutes and deletes an attendee by meeting id and attendee id`()
    async throws
  {
    try await withControl { fixture in
      let control = fixture.control
      let meeting = try await fixture.makeMeeting()
      let ada = try await fixture.makeAttendee("ada", in: meeting)
      _ = try await control.setMuted(
        V1.SetMutedByOperatorRequest(meetingID: meeting.text, attendeeID: ada.text, isMuted: true))
      _ = try await control.delete(
        V1.DeleteAttendeeRequest(meetingID: meeting.text, attendeeID: ada.text.uppercased()))
      _ = try await control.delete(V1.DeleteMeetingRequest(meetingID: meeting.text))
      #expect(
        fixture.effects.told == [
          .muted(true, ada), .attendeeEnded(ada),
          .meetingEnded(meeting, MeetingEndReason.deleted.status),
        ])
      let error = await #expect(throws: Status.self) {
        try await control.delete(V1.DeleteMeetingRequest(meetingID: "meeting"))
      }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test func `an operator ends a promotion by meeting id and attendee id`()
    async throws
  {
    try await withControl { fixture in
      let control = fixture.control
      let meeting = try await fixture.makeMeeting()
      let ada = try await fixture.makeAttendee("ada", in: meeting)
      let request = V1.DemoteAttendeeRequest(meetingID: meeting.text, attendeeID: ada.text)
      #expect(try await control.demote(request).wasPromoted)
      #expect(fixture.effects.told == [.demoted(ada)])
      let wrong: [(V1.DemoteAttendeeRequest, StatusCode)] = [
        (.init(meetingID: meeting.text, attendeeID: AttendeeID.random().text), .notFound),
        (.init(meetingID: MeetingID.random().text, attendeeID: ada.text), .notFound),
        (.init(meetingID: meeting.text, attendeeID: ada.text + "#content"), .invalidArgument),
        (.init(meetingID: "meeting", attendeeID: ada.text), .invalidArgument),
      ]
      for (request, code) in wrong {
        let error = await #expect(throws: Status.self) { try await control.demote(request) }
        #expect(error?.code == code)
      }
      #expect(fixture.effects.told.count == 1)
      fixture.effects.state.withLock { $0.failure = Status(.unavailable, "Not now.") }
      let away = await #expect(throws: Status.self) { try await control.demote(request) }
      #expect(away?.code == .unavailable)
    }
  }

  @Test func `the roster of a meeting that nobody has joined is empty`() async throws {
    try await withControl { fixture in
      let control = fixture.control
      let meeting = try await fixture.makeMeeting()
      let request = V1.GetRosterRequest(meetingID: meeting.text)
      #expect(try await control.roster(request).entries.isEmpty)
      fixture.effects.state.withLock { $0.rosters[meeting] = [.random()] }
      #expect(try await control.roster(request).entries.count == 2)
      let error = await #expect(throws: Status.self) {
        try await control.roster(V1.GetRosterRequest(meetingID: MeetingID.random().text))
      }
      #expect(error?.code == .notFound)
    }
  }

  @Test func `a capability of a newer version is refused`() {
    #expect(throws: InvalidModelValue.self) {
      try AttendeeCapabilities(V1.Capabilities(audio: .init(rawValue: 99)))
    }
    #expect((try? AttendeeCapabilities(V1.Capabilities())) == .all)
  }
}
