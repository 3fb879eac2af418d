import MeetingModel
import Storage
import Synchronization
import Testing

@testable import Gateway

@Suite struct ControlPlaneTests {
  @Test func `deleting a meeting ends its sessions and the sessions of its replicas`() async throws
  {
    try await withControl { fixture in
      let primary = try await fixture.makeMeeting()
      let replica = try await fixture.makeMeeting("token-2", primary: primary)
      try await fixture.control.endMeeting(primary, because: .deleted)
      #expect(
        fixture.effects.told == [
          .meetingEnded(primary, MeetingEndReason.deleted.status),
          .meetingEnded(replica, MeetingEndReason.primaryEnded.status),
        ])
      // The control plane records the rosters, so attendees who left before the end keep their
      // reasons.
      #expect(fixture.effects.state.withLock { $0.recorded } == [primary, replica])
      await #expect(throws: Status.self) { try await fixture.control.meeting(primary) }
      await #expect(throws: Status.self) { try await fixture.control.meeting(replica) }
    }
  }

  @Test(arguments: MeetingEndReason.allCases)
  func `attendees of an ended meeting get session status 60`(cause: MeetingEndReason) {
    #expect(cause.status.code != .ok)
    #expect(cause.status.sessionStatus == .audioServerHungup)
    #expect(cause.status.reason == (cause == .deleted ? .meetingDeleted : .meetingExpired))
  }

  @Test func `a meeting can be deleted only once`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      try await fixture.control.endMeeting(meeting, because: .deleted)
      let error = await #expect(throws: Status.self) {
        try await fixture.control.endMeeting(meeting, because: .deleted)
      }
      #expect(error?.code == .notFound)
      #expect(fixture.effects.told.count == 1)
    }
  }

  @Test func `a deletion succeeds even if presence is unreachable`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let attendee = try await fixture.makeAttendee("ada", in: meeting)
      fixture.effects.state.withLock { $0.failure = Status(.unavailable, "Not now.") }
      try await fixture.control.deleteAttendee(attendee, in: meeting)
      try await fixture.control.endMeeting(meeting, because: .deleted)
      #expect(
        fixture.effects.told == [
          .attendeeEnded(attendee), .meetingEnded(meeting, MeetingEndReason.deleted.status),
        ])
    }
  }

  @Test func `a mute fails but stays stored if presence does not confirm the mute`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let attendee = try await fixture.makeAttendee("ada", in: meeting)
      fixture.effects.state.withLock { $0.failure = Status(.unavailable, "Not now.") }
      let error = await #expect(throws: Status.self) {
        try await fixture.control.setMutedByOperator(true, attendee: attendee, in: meeting)
      }
      #expect(error?.code == .unavailable)
      let stored = try await fixture.store.attendee(attendee, in: meeting)
      #expect(stored.attendee.isMutedByOperator)
    }
  }

  @Test func `a mute is stored before presence is informed`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let attendee = try await fixture.makeAttendee("ada", in: meeting)
      try await fixture.control.setMutedByOperator(true, attendee: attendee, in: meeting)
      try await fixture.control.setMutedByOperator(false, attendee: attendee, in: meeting)
      #expect(fixture.effects.told == [.muted(true, attendee), .muted(false, attendee)])
      let stranger = await #expect(throws: Status.self) {
        try await fixture.control.setMutedByOperator(true, attendee: .random(), in: meeting)
      }
      #expect(stranger?.code == .notFound)
      #expect(fixture.effects.told.count == 2)
    }
  }

  @Test func `a change of capabilities is reported only for attendees whose capabilities changed`()
    async throws
  {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let ada = try await fixture.makeAttendee("ada", in: meeting)
      let grace = try await fixture.makeAttendee("grace", in: meeting)
      let mute = try AttendeeCapabilities(audio: .receive, video: .none, content: .none)
      try await fixture.control.updateCapabilities(mute, allExcept: [grace], in: meeting)
      #expect(fixture.effects.told == [.capabilities(mute, ada)])
      _ = try await fixture.control.updateCapabilities(mute, attendee: grace, in: meeting)
      #expect(fixture.effects.told == [.capabilities(mute, ada), .capabilities(mute, grace)])
    }
  }

  @Test func `the end of a meeting is reported even if the caller has disconnected`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let asking = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await fixture.control.endMeeting(meeting, because: .deleted)
      }
      try await asking.value
      #expect(fixture.effects.told == [.meetingEnded(meeting, MeetingEndReason.deleted.status)])
    }
  }

  @Test func `the gateway is healthy while the services that it needs are reachable`() async throws
  {
    try await withControl { fixture in
      #expect(await fixture.control.isHealthy())
      fixture.effects.state.withLock { $0.isReachable = false }
      #expect(await !fixture.control.isHealthy())
    }
  }
}
