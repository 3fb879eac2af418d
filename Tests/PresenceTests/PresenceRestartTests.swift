import Bus
import MeetingModel
import OwnerTestSupport
import Ownership
import TestSupport
import Testing
import Wire

@testable import Presence

@Suite(.timeLimit(.minutes(5))) struct PresenceRestartTests {
  @Test func `a snapshot after a restart waits until the whole roster is restored`() async throws {
    try await withTemporaryDirectory { directory in
      let presence = PresenceFixture(directory: directory)
      let before = try await presence.running {
        try await presence.withGateway { gateway in
          try await gateway.join(.ada)
          return try await gateway.join(.grace)
        }
      }
      let life = try presence.announceLife(of: "gateway-a")
      defer { life.withdraw() }
      try await presence.running {
        try await presence.withGateway(announces: false) { gateway in
          async let early = gateway.snapshot()
          let alive = try await gateway.sayAlive()
          #expect(alive.wantsAnnouncement)
          #expect(alive.term > before.term)
          _ = try await gateway.announce([.ada], isLast: false)
          _ = try await gateway.announce([.grace], isLast: true)
          let snapshot = try await early
          #expect(
            snapshot.entries.map(\.attendee?.attendeeID)
              == [Person.ada.participant.text, Person.grace.participant.text])
          #expect(snapshot.epoch != before.roster?.epoch)
          #expect(snapshot.sequence == 2)
          #expect(try await !gateway.sayAlive().wantsAnnouncement)
        }
      }
    }
  }

  @Test func `participants keep the times of their joins across a restart`() async throws {
    try await withTemporaryDirectory { directory in
      let presence = PresenceFixture(directory: directory)
      let (ada, grace) = try await presence.running {
        try await presence.withGateway { gateway in
          let ada = try await gateway.join(.ada)
          let grace = try await gateway.join(.grace)
          let entries = try await gateway.snapshot().entries
          #expect(entries.map(\.joinedAtMs) == [ada.joinedAtMs, grace.joinedAtMs])
          return (ada.joinedAtMs, grace.joinedAtMs)
        }
      }
      #expect(ada > 0 && grace >= ada)
      let life = try presence.announceLife(of: "gateway-a")
      defer { life.withdraw() }
      try await presence.running {
        try await presence.withGateway(announces: false) { gateway in
          async let early = gateway.snapshot()
          _ = try await gateway.announce([.ada: ada - 60_000, .grace: grace])
          #expect(try await early.entries.map(\.joinedAtMs) == [ada - 60_000, grace])
        }
      }
    }
  }

  @Test(
    arguments: [
      // A join happens now, unless the session has joined before.
      (0, 500, false, 1_000), (700, 500, false, 700),
      // An announced session has joined before.
      (700, 500, true, 700), (0, 500, true, 500), (0, 0, true, 1_000),
      // No participant joins in the future.
      (2_000, 500, true, 1_000), (0, 2_000, true, 1_000),
    ] as [(UInt64, UInt64, Bool, UInt64)])
  func `a session's time of joining comes from its gateway`(
    joinedAt: UInt64, openedAt: UInt64, isAnnounced: Bool, expected: UInt64
  ) throws {
    let record = V1.GatewaySession(
      meetingID: MeetingID.planning.text, participantID: Person.ada.participant.text,
      externalUserID: Person.ada.identity.externalUserID.text,
      sessionID: Person.ada.session().bytes, openedAtMs: openedAt, joinedAtMs: joinedAt)
    let (_, session) = try AnnouncedSession.read(
      record, joinedAtMs: 1_000, isAnnounced: isAnnounced)
    #expect(session.joinedAtMs == expected)
  }

  @Test func `a client that resumes during recovery counts as already present`() async throws {
    try await withTemporaryDirectory { directory in
      let presence = PresenceFixture(directory: directory)
      let life = try presence.announceLife(of: "gateway-a")
      defer { life.withdraw() }
      try await presence.running {
        try await presence.withGateway(announces: false) { gateway in
          let joined = try await gateway.resume(.ada, beforeAnnouncing: [.grace])
          #expect(joined.wasPresent)
          #expect(joined.roster?.entries.count == 2)
        }
      }
    }
  }

  @Test func `if a join is cancelled during recovery, no session remains`() async throws {
    try await withTemporaryDirectory { directory in
      let presence = PresenceFixture(
        directory: directory, rules: PresenceRules(timing: OwnerGracePeriods(dropAfter: .zero)))
      let life = try presence.announceLife(of: "gateway-a")
      defer { life.withdraw() }
      try await presence.running {
        try await presence.withGateway(announces: false) { gateway in
          _ = try await gateway.sayAlive()
          let error = await #expect(throws: Status.self) {
            try await gateway.join(.ada, options: CallOptions(timeout: .milliseconds(100)))
          }
          #expect(error?.code == .deadlineExceeded)
          async let snapshot = gateway.snapshot()
          _ = try await gateway.announce([])
          #expect(try await snapshot.entries.isEmpty)
        }
      }
    }
  }

  @Test func `requests that wait for recovery are refused when presence stops`() async throws {
    try await withTemporaryDirectory { directory in
      let presence = PresenceFixture(directory: directory)
      let life = try presence.announceLife(of: "gateway-a")
      defer { life.withdraw() }
      try await presence.withGateway(announces: false) { gateway in
        let refusal = try await presence.running { try await gateway.beginSnapshot() }
        #expect(await refusal()?.code == .unavailable)
      }
    }
  }

  @Test func `requests that wait for recovery are refused when the meeting's owner changes`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let presence = PresenceFixture(directory: directory)
      let life = try presence.announceLife(of: "gateway-a")
      defer { life.withdraw() }
      try await presence.running {
        try await presence.withGateway(announces: false) { gateway in
          let refusal = try await gateway.beginSnapshot()
          let rival = try presence.registry.register(
            InstanceAnnouncement(
              service: "presence", instance: try Self.rival(for: .planning), endpoints: [:]))
          defer { rival.withdraw() }
          try rival.heartbeat()
          try await eventually("the rival to be seen") {
            do throws(Status) {
              try await gateway.leave(.ada)
              return false
            } catch {
              return error.reason == .notOwner
            }
          }
          _ = try await gateway.announce([])
          // The instance refuses the request instead of answering with an empty roster.
          #expect(await refusal()?.reason == .notOwner)
        }
      }
    }
  }

  /// Returns the name of an instance that would own a meeting in place of the fixture's presence.
  private static func rival(for meeting: MeetingID) throws -> String {
    try #require(
      (0..<1_000).lazy.map { "presence-\($0)" }.first {
        OwningInstances(of: ["presence-a", $0]).owner(of: meeting) == $0
      })
  }

  @Test func `an invalid session in an announcement does not block the other sessions`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let presence = PresenceFixture(directory: directory)
      let life = try presence.announceLife(of: "gateway-a")
      defer { life.withdraw() }
      try await presence.running {
        try await presence.withGateway(announces: false) { gateway in
          let planning = MeetingID.planning.text
          func session(_ person: Person) -> V1.GatewaySession {
            V1.GatewaySession(
              meetingID: planning, participantID: person.participant.text,
              externalUserID: "person-\(person.number)", sessionID: person.session().bytes)
          }
          var (bad, short) = (session(.edsger), session(.edsger))
          bad.participantID = "edsger"
          short.sessionID = [1, 2, 3]
          let reply = try await gateway.call(
            V1.PresenceMethods.announce,
            V1.AnnounceRequest(
              gateway: gateway.name, sessions: [session(.ada), bad, short, session(.grace)],
              last: true, gatewayRun: 1))
          #expect(reply.refused.map(\.sessionID) == [bad.sessionID, [1, 2, 3]])
          #expect(reply.refused.allSatisfy { $0.status?.code == .invalidArgument })
          #expect(reply.unknownSessions.isEmpty)
          let snapshot = try await gateway.snapshot()
          #expect(
            snapshot.entries.map(\.attendee?.attendeeID)
              == [Person.ada.participant.text, Person.grace.participant.text])
        }
      }
    }
  }

  @Test func `the reply to an announcement lists replaced sessions`() async throws {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.join(.ada, device: 1)
        let reply = try await gateway.announce([.ada, .grace])
        #expect(reply.unknownSessions == [Person.ada.session().bytes])
        #expect(reply.refused.map(\.sessionID) == reply.unknownSessions)
        #expect(reply.refused.first?.status?.reason == .joinedElsewhere)
      }
    }
  }
}
