import MeetingModel
import ServiceLifecycle
import Storage
import Synchronization
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct MeetingExpiryTests {
  private func expiry(_ fixture: ControlFixture) -> MeetingExpiry {
    MeetingExpiry(
      control: fixture.control, events: fixture.intake, terms: .init(InstallationLimits()))
  }

  @Test func `a meeting ends after five minutes if nobody joins`() async throws {
    try await withControl { fixture in
      let start = fixture.time.now
      let meeting = try await fixture.makeMeeting()
      fixture.time.advance(by: .milliseconds(299_999))
      try await expiry(fixture).sweep(startedAt: start)
      #expect(fixture.effects.told.isEmpty)
      fixture.time.advance(by: .milliseconds(1))
      try await expiry(fixture).sweep(startedAt: start)
      #expect(fixture.effects.told == [.meetingEnded(meeting, MeetingEndReason.idle.status)])
    }
  }

  @Test func `a meeting ends five minutes after its last client disconnects`()
    async throws
  {
    try await withControl { fixture in
      let start = fixture.time.now
      let meeting = try await fixture.makeMeeting()
      fixture.effects.state.withLock { $0.occupied = [meeting] }
      for _ in 0..<3 {
        fixture.time.advance(by: .seconds(299))
        try await expiry(fixture).sweep(startedAt: start)
      }
      fixture.effects.state.withLock { $0.occupied = [] }
      fixture.time.advance(by: .seconds(299))
      try await expiry(fixture).sweep(startedAt: start)
      #expect(fixture.effects.told.isEmpty)
      fixture.time.advance(by: .seconds(1))
      try await expiry(fixture).sweep(startedAt: start)
      #expect(fixture.effects.told.count == 1)
    }
  }

  @Test func `clients have thirty seconds to reconnect after the gateway starts`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      fixture.time.advance(by: .seconds(3_600))
      let start = fixture.time.now
      fixture.time.advance(by: .seconds(29))
      try await expiry(fixture).sweep(startedAt: start)
      #expect(fixture.effects.told.isEmpty)
      fixture.effects.state.withLock { $0.occupied = [meeting] }
      fixture.time.advance(by: .seconds(1))
      try await expiry(fixture).sweep(startedAt: start)
      #expect(fixture.effects.told.isEmpty)
    }
  }

  @Test func `every meeting ends after a day, together with its replicas`() async throws {
    try await withControl { fixture in
      let start = fixture.time.now
      let primary = try await fixture.makeMeeting()
      let replica = try await fixture.makeMeeting("token-2", primary: primary)
      fixture.effects.state.withLock { $0.occupied = [primary, replica] }
      fixture.time.advance(by: .seconds(86_400))
      try await expiry(fixture).sweep(startedAt: start)
      #expect(
        fixture.effects.told == [
          .meetingEnded(primary, MeetingEndReason.expired.status),
          .meetingEnded(replica, MeetingEndReason.primaryEnded.status),
        ])
    }
  }

  @Test func `an empty replica does not end`() async throws {
    try await withControl { fixture in
      let start = fixture.time.now
      let primary = try await fixture.makeMeeting()
      _ = try await fixture.makeMeeting("token-2", primary: primary)
      fixture.effects.state.withLock { $0.occupied = [primary] }
      fixture.time.advance(by: .seconds(1_000))
      try await expiry(fixture).sweep(startedAt: start)
      #expect(fixture.effects.told.isEmpty)
    }
  }

  @Test func `a primary does not end while a replica has an audience`() async throws {
    try await withControl { fixture in
      let start = fixture.time.now
      let primary = try await fixture.makeMeeting()
      let replica = try await fixture.makeMeeting("token-2", primary: primary)
      fixture.effects.state.withLock { $0.occupied = [replica] }
      for _ in 0..<3 {
        fixture.time.advance(by: .seconds(299))
        try await expiry(fixture).sweep(startedAt: start)
      }
      fixture.effects.state.withLock { $0.occupied = [] }
      fixture.time.advance(by: .seconds(299))
      try await expiry(fixture).sweep(startedAt: start)
      #expect(fixture.effects.told.isEmpty)
      fixture.time.advance(by: .seconds(1))
      try await expiry(fixture).sweep(startedAt: start)
      #expect(
        fixture.effects.told == [
          .meetingEnded(primary, MeetingEndReason.idle.status),
          .meetingEnded(replica, MeetingEndReason.primaryEnded.status),
        ])
    }
  }

  @Test func `a meeting's end that presence missed is reported to presence again`() async throws {
    try await withControl { fixture in
      let alive = try await fixture.makeMeeting()
      let ended = try await fixture.makeMeeting("token-2")
      _ = try await fixture.store.endMeeting(ended, because: .deleted, at: fixture.time.now)
      fixture.effects.state.withLock { $0.occupied = [alive, ended] }
      try await expiry(fixture).remind()
      #expect(
        fixture.effects.told == [
          .meetingEnded(ended, MeetingEndReason.expired.status), .deletedAttendeesEnded,
        ])
    }
  }

  @Test func `an ended meeting is remembered for a day`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let request = AttendeeRequest(externalUserID: try ExternalUserID("ada"))
      let ada = try await fixture.control.createAttendee(request, in: meeting)
      try await fixture.control.endMeeting(meeting, because: .deleted)
      func admission() async throws -> JoinCredentialsCheck {
        try await fixture.store.admission(
          meeting: meeting, attendee: ada.attendee.id, token: ada.joinToken)
      }
      fixture.time.advance(by: .seconds(86_400))
      try await expiry(fixture).forget()
      #expect(try await admission() == .meetingEnded(.deleted))
      fixture.time.advance(by: .milliseconds(1))
      try await expiry(fixture).forget()
      #expect(try await admission() == .refused)
    }
  }

  @Test func `expiry sweeps run until the process drains`() async throws {
    try await withControl { fixture in
      let (looks, look) = AsyncStream.makeStream(of: Void.self)
      let clock = TickingClock { look.yield() }
      let expiry = MeetingExpiry(
        control: fixture.control, events: fixture.intake, terms: .init(InstallationLimits()),
        interval: .seconds(5), clock: clock)
      let group = ServiceGroup(services: [expiry], logger: fixture.control.logger)
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        var iterator = looks.makeAsyncIterator()
        for _ in 0..<3 { await iterator.next() }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
    }
  }
}

/// A clock whose sleeps end immediately. The clock reports each sleep.
private struct TickingClock: Clock {
  let onSleep: @Sendable () -> Void
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    onSleep()
    await Task.yield()
  }
}
