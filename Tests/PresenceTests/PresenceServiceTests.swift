import Bus
import MeetingModel
import OwnerTestSupport
import Ownership
import ServiceHost
import TestSupport
import Testing
import Trials
import Wire

@testable import Presence

@Suite(.timeLimit(.minutes(5))) struct PresenceServiceTests {
  private let planning = MeetingID.planning.text

  @Test func `a join is published on the meeting's topic, as an event with a position`()
    async throws
  {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.follow()
        let reply = try await gateway.join(.ada)
        let roster = try #require(reply.roster)
        #expect(roster.sequence == 1)
        #expect(roster.entries.map(\.attendee?.attendeeID) == [Person.ada.participant.text])
        #expect(!reply.wasPresent)

        try await gateway.join(.grace)
        let event = try await gateway.event { $0.header.sequence == 2 }
        #expect(event.header.meetingID == planning)
        #expect(event.header.epoch == roster.epoch)
        #expect(event.header.term == reply.term)
        #expect(event.presence.map(\.attendee?.attendeeID) == [Person.grace.participant.text])
        #expect(event.presence.map(\.state) == [.joined])
        #expect(
          event.body.positions
            == [V1.StreamPosition(stream: "roster", epoch: roster.epoch, sequence: 2)])
      }
    }
  }

  @Test func `when an operator demotes an attendee, the event names the session that ends`()
    async throws
  {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.follow()
        try await gateway.promote(.ada)
        #expect(try await gateway.demoteByOperator(.ada))
        let event = try await gateway.event { !$0.header.ended.isEmpty }
        #expect(event.presence.map(\.reason) == [.operator])
        #expect(event.header.ended.map(\.sessionID) == [Person.ada.session().bytes])
        #expect(event.header.ended.first?.status?.reason == .demotedByOperator)
        #expect(try await !gateway.demoteByOperator(.ada))
      }
    }
  }

  @Test func `a replay returns the events after a position`() async throws {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        let epoch = try #require(try await gateway.join(.ada).roster).epoch
        try await gateway.join(.grace)
        try await gateway.leave(.ada)
        guard case .events(let replayed) = try await gateway.replay(epoch: epoch, after: 1).outcome
        else {
          Issue.record("A snapshot came instead.")
          return
        }
        #expect(replayed.events.map(\.header?.sequence) == [2, 3])
        let bodies = try replayed.events.map { try V1.SessionEvents(packed: $0.body) }
        #expect(bodies.map(\.positions.last?.sequence) == [2, 3])
        guard case .events(let nothing) = try await gateway.replay(epoch: epoch, after: 3).outcome
        else {
          Issue.record("A snapshot came instead.")
          return
        }
        #expect(nothing.events.isEmpty)
      }
    }
  }

  @Test(arguments: [(1, 0), (0, 1)])
  func `a replay from an unknown epoch or an old position returns a snapshot`(
    otherEpoch: UInt64, missing: Int
  ) async throws {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        let epoch = try #require(try await gateway.join(.ada).roster).epoch
        for _ in 0..<40 * missing {
          try await gateway.join(.grace)
          try await gateway.leave(.grace)
        }
        let reply = try await gateway.replay(epoch: epoch + otherEpoch, after: 1)
        guard case .snapshot(let snapshot) = reply.outcome else {
          Issue.record("Events came instead.")
          return
        }
        #expect(snapshot.epoch == epoch)
        #expect(snapshot.sequence == UInt64(1 + 80 * missing))
        #expect(snapshot.entries.count == 1)
      }
    }
  }

  @Test func `a replay without an epoch returns all events of the current epoch`()
    async throws
  {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.join(.ada)
        try await gateway.leave(.ada)
        guard case .events(let replayed) = try await gateway.replay(epoch: 0, after: 0).outcome
        else {
          Issue.record("A snapshot came instead.")
          return
        }
        #expect(replayed.events.map(\.header?.sequence) == [1, 2])
      }
    }
  }

  @Test
  func `when an attendee joins again, presence publishes the end of the attendee's older session`()
    async throws
  {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.follow()
        try await gateway.join(.ada)
        try await gateway.join(.ada, device: 1)
        let event = try await gateway.event { !$0.header.ended.isEmpty }
        let ended = try #require(event.header.ended.first)
        #expect(ended.sessionID == Person.ada.session().bytes)
        #expect(ended.status?.sessionStatus == .audioJoinedFromAnotherDevice)
        #expect(ended.status?.reason == .joinedElsewhere)
        #expect(event.body.events.isEmpty)
      }
    }
  }

  @Test func `the last event of a meeting contains the status of the meeting's end`() async throws {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.follow()
        try await gateway.join(.ada)
        let status = Status(
          .notFound, "Over.", session: .audioServerHungup, reason: .meetingExpired)
        _ = try await gateway.call(
          V1.PresenceMethods.endMeeting,
          V1.EndMeetingRequest(meetingID: planning, status: V1.Status(status)))
        let event = try await gateway.event { $0.header.meetingEnded != nil }
        #expect(event.header.meetingEnded == V1.Status(status))
        #expect(event.presence.map(\.reason) == [.meetingEnded])
        let error = await #expect(throws: Status.self) { try await gateway.join(.grace) }
        #expect(error?.sessionStatus == .audioCallEnded)
      }
    }
  }

  @Test func `a detached client is dropped unless it resumes in time`() async throws {
    let rules = PresenceRules(timing: OwnerGracePeriods(dropAfter: .seconds(30)))
    try await withPresence(rules) { presence in
      try await presence.withGateway { gateway in
        try await gateway.follow()
        try await gateway.join(.ada)
        try await gateway.join(.grace)
        try await gateway.detach(.ada, silentFor: 0)
        try await gateway.detach(.grace, silentFor: 29_900)
        #expect(try await gateway.join(.ada, isResume: true).wasPresent)
        let event = try await gateway.event { $0.presence.contains { $0.state == .dropped } }
        #expect(event.presence.map(\.attendee?.attendeeID) == [Person.grace.participant.text])
        #expect(event.presence.map(\.reason) == [.connectionLost])
        let snapshot = try await gateway.snapshot()
        #expect(snapshot.entries.map(\.attendee?.attendeeID) == [Person.ada.participant.text])
      }
    }
  }

  @Test func `a detach by the client's former gateway is ignored`() async throws {
    let rules = PresenceRules(timing: OwnerGracePeriods(dropAfter: .milliseconds(1)))
    try await withPresence(rules) { presence in
      try await presence.withGateway("gateway-a") { old in
        try await presence.withGateway("gateway-b") { new in
          try await old.join(.ada)
          #expect(try await new.join(.ada, isResume: true).wasPresent)
          try await old.detach(.ada, silentFor: 60_000)
          #expect(try await new.snapshot().entries.count == 1)
        }
      }
    }
  }

  @Test func `an event with levels has a tick number, and presence leaves out invalid levels`()
    async throws
  {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.follow()
        try await gateway.join(.ada)
        let unreadable = V1.AttendeeLevel(participantID: "nobody", volume: .high)
        // A subscriber that is a moment too late misses a volatile event, so the test repeats the
        // report until an event arrives.
        for volume in [V1.VolumeLevel.high, .low].cycled() {
          let level = V1.AttendeeLevel(
            participantID: Person.ada.participant.text, volume: volume, signal: .low)
          _ = try await gateway.call(
            V1.PresenceMethods.reportLevels,
            V1.ReportLevelsRequest(meetingID: planning, levels: [unreadable, level]))
          if gateway.seen.entries.contains(where: { $0.header.tick > 0 }) { break }
        }
        let event = try await gateway.event { $0.header.tick > 0 }
        #expect(event.header.sequence == 0)
        guard case .levelsChanged(let levels) = event.body.events.first?.event else {
          Issue.record("No levels came.")
          return
        }
        #expect(levels.tick == event.header.tick)
        #expect(levels.volumes.map(\.attendeeID) == [Person.ada.participant.text])
        #expect(try await gateway.snapshot().tick >= levels.tick)
      }
    }
  }

  @Test func `a full meeting refuses a join with status 64`() async throws {
    try await withPresence(PresenceRules(maxAttendees: 1)) { presence in
      try await presence.withGateway { gateway in
        try await gateway.join(.ada)
        let error = await #expect(throws: Status.self) { try await gateway.join(.grace) }
        #expect(error?.sessionStatus == .audioCallAtCapacity)
        #expect(error?.reason == .meetingFull)
        let limits = try await gateway.call(
          V1.PresenceMethods.getLimits, V1.GetLimitsRequest())
        #expect(limits.maxAttendees == 1)
        #expect(limits.dropAfterSeconds == 5)
        let text = presence.metrics.prometheusText()
        #expect(text.contains("carillon_presence_joins_total 1\n"))
        #expect(text.contains("carillon_presence_refusals_total{reason=\"meeting_full\"} 1\n"))
      }
    }
  }

  @Test func `a request for a term other than the instance's term is refused`() async throws {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        let term = try await gateway.join(.ada).term
        let stale = CallOptions(timeout: .seconds(30), term: term + 1)
        let error = await #expect(throws: Status.self) {
          try await gateway.join(.grace, options: stale)
        }
        #expect(error?.code == .aborted)
        #expect(error?.reason == .staleTerm)
        try await gateway.join(.grace, options: CallOptions(timeout: .seconds(30), term: term))
      }
    }
  }

  @Test func `the roster and its events contain an attendee's display name`() async throws {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.follow()
        let session = V1.GatewaySession(
          meetingID: planning, participantID: Person.grace.participant.text,
          externalUserID: "guest-1", sessionID: Person.grace.session().bytes, displayName: "花子")
        let reply = try await gateway.call(
          V1.PresenceMethods.join, V1.JoinRequest(session: session, gateway: gateway.name))
        #expect(reply.roster?.entries.map(\.attendee?.displayName) == ["花子"])
        let joined = try await gateway.event { $0.header.sequence == 1 }
        #expect(joined.presence.map(\.attendee?.displayName) == ["花子"])
        try await gateway.leave(.grace)
        let left = try await gateway.event { $0.header.sequence == 2 }
        #expect(left.presence.map(\.attendee?.displayName) == ["花子"])
      }
    }
  }

  @Test func `joins with invalid fields are refused and leave the roster unchanged`() async throws {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.join(.ada)
        let session = V1.GatewaySession(
          meetingID: planning, participantID: Person.grace.participant.text,
          externalUserID: "grace", sessionID: Person.grace.session().bytes)
        var wrong = Array(repeating: session, count: 7)
        wrong[0].meetingID = String(repeating: "x", count: 10_000)
        wrong[1].participantID += "#camera"
        wrong[2].externalUserID = "g"
        wrong[3].sessionID = [1, 2, 3]
        wrong[4].primaryMeetingID = "none"
        wrong[5].capabilities = V1.Capabilities(video: .none, content: .receive)
        wrong[6].displayName = "\u{202E}ecarg"
        var requests = wrong.map { V1.JoinRequest(session: $0, gateway: gateway.name) }
        requests.append(V1.JoinRequest(session: session, gateway: "a gateway"))
        requests.append(V1.JoinRequest(gateway: gateway.name))
        for request in requests {
          let error = await #expect(throws: Status.self) {
            try await gateway.call(V1.PresenceMethods.join, request)
          }
          #expect(error?.code == .invalidArgument)
        }
        #expect(try await gateway.snapshot().entries.count == 1)
      }
    }
  }

  @Test func `an instance name cannot be taken by a second process`() async throws {
    try await withPresence { presence in
      try await presence.withGateway { gateway in try await gateway.join(.ada) }
      await #expect(throws: InstanceRegistryError.instanceIsTaken("presence-a")) {
        try await presence.running {}
      }
    }
  }
}

extension Array {
  /// Returns an endless sequence that repeats the elements.
  fileprivate func cycled() -> some Sequence<Element> {
    sequence(first: 0) { ($0 + 1) % count }.lazy.map { self[$0] }
  }
}
