import Bus
import MeetingModel
import Storage
import Testing
import Wire

@testable import Gateway

@Suite(.timeLimit(.minutes(1))) struct RosterRecorderTests {
  private let ada = AttendeeID.random()
  private let ben = AttendeeID.random()

  private func info(_ attendee: AttendeeID) -> V1.AttendeeInfo {
    V1.AttendeeInfo(
      attendeeID: attendee.text, externalUserID: attendee == ada ? "ada" : "ben")
  }

  private func header(_ sequence: UInt64, epoch: UInt64 = 7) -> V1.EventHeader {
    V1.EventHeader(epoch: epoch, sequence: sequence)
  }

  private func came(_ attendee: AttendeeID, at time: UInt64) -> [UInt8] {
    body(V1.PresenceChange(attendee: info(attendee), state: .joined, joinedAtMs: time))
  }

  private func dropped(_ attendee: AttendeeID, at time: UInt64) -> [UInt8] {
    body(
      V1.PresenceChange(
        attendee: info(attendee), state: .dropped, reason: .connectionLost, departedAtMs: time))
  }

  private func body(_ change: V1.PresenceChange) -> [UInt8] {
    V1.SessionEvents(
      events: [V1.SessionEvent(event: .presenceChanged(V1.PresenceChanged(changes: [change])))]
    ).packed()
  }

  private func makeMeeting(_ store: MeetingStore) async throws -> MeetingID {
    try await store.createMeeting(
      MeetingRequest(
        token: ClientRequestToken("token"), fingerprint: RequestFingerprint(of: []),
        externalID: ExternalMeetingID("standup"), region: MediaRegion("eu-central-1"),
        placementBase: "http://127.0.0.1:8080"), at: 1
    ).meeting.id
  }

  private func stays(_ store: MeetingStore, in meeting: MeetingID) async throws -> [String] {
    try await store.attendance(of: meeting, limit: 100).elements.map { session in
      let end = session.left.map { "\($0.at) \($0.reason.rawValue)" } ?? "now"
      return "\(session.externalUserID.text) \(session.joinedAt) \(end)"
    }
  }

  @Test func `what gathers is stored together`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, _ in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      let recorder = part.recorder
      recorder.note(header(1), came(ada, at: 10), of: meeting)
      recorder.note(header(2), came(ben, at: 20), of: meeting)
      recorder.note(header(3), dropped(ada, at: 30), of: meeting)
      #expect(try await stays(store, in: meeting).isEmpty)
      await recorder.store()
      #expect(
        try await stays(store, in: meeting) == ["ada 10 30 ConnectionLost", "ben 20 now"])
      // Nothing of it is stored again.
      await recorder.store()
      #expect(try await stays(store, in: meeting).count == 2)
    }
  }

  @Test func `presence is asked for what is missing`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, server in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      var asked: [V1.ReplayRequest] = []
      server.on(V1.PresenceMethods.replay) { request, call in
        asked.append(request)
        let missed = [
          V1.PackedEvent(header: header(1), body: came(ada, at: 10)),
          V1.PackedEvent(header: header(2), body: dropped(ada, at: 20)),
          V1.PackedEvent(header: header(3), body: came(ada, at: 30)),
        ]
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: missed))))
      }
      part.recorder.note(header(3), came(ada, at: 30), of: meeting)
      await part.recorder.store()
      #expect(
        asked == [
          V1.ReplayRequest(
            meetingID: meeting.text, epoch: 0, afterSequence: 0, includesAudience: true)
        ])
      #expect(
        try await stays(store, in: meeting) == ["ada 10 20 ConnectionLost", "ada 30 now"])
    }
  }

  @Test func `a gap on the way is asked for, too`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, server in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      server.on(V1.PresenceMethods.replay) { request, call in
        #expect((request.epoch, request.afterSequence) == (0, 0))
        call.reply(
          V1.ReplayReply(
            outcome: .events(
              V1.ReplayedEvents(
                events: [
                  V1.PackedEvent(header: header(1), body: came(ada, at: 10)),
                  V1.PackedEvent(header: header(2), body: dropped(ada, at: 20)),
                  V1.PackedEvent(header: header(3), body: came(ben, at: 30)),
                ]))))
      }
      part.recorder.note(header(1), came(ada, at: 10), of: meeting)
      part.recorder.note(header(3), came(ben, at: 30), of: meeting)
      await part.recorder.store()
      #expect(
        try await stays(store, in: meeting) == ["ada 10 20 ConnectionLost", "ben 30 now"])
    }
  }

  @Test func `an event that comes again is taken once`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, _ in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      part.recorder.note(header(1), came(ada, at: 10), of: meeting)
      part.recorder.note(header(2), dropped(ada, at: 20), of: meeting)
      part.recorder.note(header(1), came(ada, at: 10), of: meeting)
      await part.recorder.store()
      #expect(try await stays(store, in: meeting) == ["ada 10 20 ConnectionLost"])
    }
  }

  @Test func `a roster that is told whole says who is there`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, _ in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      part.recorder.note(header(1), came(ada, at: 10), of: meeting)
      await part.recorder.store()
      part.recorder.take(
        V1.RosterSnapshot(
          epoch: 9, sequence: 4, entries: [V1.RosterEntry(attendee: info(ben), joinedAtMs: 15)]),
        of: meeting)
      await part.recorder.store()
      let found = try await stays(store, in: meeting)
      #expect(found.count == 2)
      #expect(found.first?.hasSuffix("Unknown") == true)
      #expect(found.last == "ben 15 now")
      #expect(try await store.rosterPlace(of: meeting) == RosterPlace(epoch: 9, sequence: 4))
    }
  }

  @Test func `what cannot be read is left out`() async throws {
    try await withOwner(RosterPart.init) { fixture, part, _ in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      part.recorder.note(header(1), [0xFF, 0xFF, 0xFF], of: meeting)
      part.recorder.note(header(2), body(V1.PresenceChange(state: .joined)), of: meeting)
      part.recorder.note(header(3), came(ada, at: 10), of: meeting)
      await part.recorder.store()
      #expect(try await stays(store, in: meeting) == ["ada 10 now"])
    }
  }
}
