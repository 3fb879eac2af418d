import CarillonClient
import Foundation
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  struct RecoveryTests {
    private static let five = ["ada", "grace", "lin", "kay", "joan"]

    /// Runs `body` with five attendees in a meeting. Two attendees have muted themselves, and an
    /// operator has muted one attendee.
    private func withFive(
      _ body: (TestMeeting, [Participant]) async throws -> Void
    ) async throws {
      try await withMeeting(.init(presenceFlags: ["--recovery-seconds", "5"])) { meeting in
        let five = try await meeting.joined(Self.five)
        try five[0].mute()
        try five[1].mute()
        try await meeting.installation.mute(five[2].attendee)
        for participant in five {
          try await participant.knowsMuted(exactly: ["ada", "grace", "lin"])
        }
        try await body(meeting, five)
      }
    }

    /// Checks that the meeting continues. A mute and a new attendee reach every client, and the
    /// services still know earlier mutes and attendees.
    private func isIntact(
      _ meeting: TestMeeting, _ five: [Participant], with newcomer: String
    ) async throws {
      let known = Set(five[0].heard.entries.roster)
      try five[3].mute()
      for participant in five {
        try await participant.knowsMuted(exactly: ["ada", "grace", "lin", "kay"])
      }
      try five[3].unmute()
      let late = try await meeting.joined(newcomer)
      for participant in five + [late] {
        try await participant.knowsMuted(exactly: ["ada", "grace", "lin"])
        try await participant.knows(exactly: known.union([newcomer]))
      }
      #expect(!five[2].audioVideo.realtimeLocalUnmute())
    }

    /// Runs `body` with an attendee that does not reconnect after a loss of its connection.
    private func withSentinel(
      _ meeting: TestMeeting, _ name: String, _ body: (RawClient) async throws -> Void
    ) async throws {
      let attendee = try await meeting.installation.createAttendee(name, in: meeting.record)
      try await withRawClient(meeting.installation) { client in
        try await client.start(attendee)
        try await body(client)
      }
    }

    /// If `isPlaceLost` is true, the test also removes presence's record in the registry. This
    /// record contains the ownership term that gateways know.
    @Test(arguments: [false, true])
    func `nobody appears to leave when presence is killed during a meeting`(
      withItsPlace isPlaceLost: Bool
    ) async throws {
      try await withFive { meeting, five in
        try await meeting.installation.presence.kill()
        if isPlaceLost {
          try FileManager.default.removeItem(
            atPath: "\(meeting.installation.directory)/run/registry/presence")
        }
        try await meeting.installation.presence.start()
        try await isIntact(meeting, five, with: "eve")
        try await meeting.sentinelIsLost(heardBy: five)
        for participant in five {
          try participant.heardNoFalsePresence(but: ["sentinel"])
          try participant.heardAllOnMain()
          #expect(
            participant.aboutAudio == [
              .connecting(reconnecting: false), .started(reconnecting: false),
            ])
        }
      }
    }

    @Test func `all clients return and nobody appears to leave when the gateway is killed`()
      async throws
    {
      try await withFive { meeting, five in
        try await withSentinel(meeting, "sentinel") { sentinel in
          for participant in five { try await participant.hears(.joined("sentinel")) }
          try await meeting.installation.gateway.process.kill()
          await sentinel.close()
        }
        try await meeting.installation.gateway.process.start()
        for participant in five {
          try await participant.hears(.started(reconnecting: true), within: .seconds(5))
        }
        // The sentinel does not reconnect. When presence reports the sentinel as lost, presence
        // would also have reported any other attendee that did not reconnect.
        for participant in five { try await participant.hears(.lost("sentinel")) }
        try await isIntact(meeting, five, with: "eve")
        for participant in five {
          try participant.heardNoFalsePresence(but: ["sentinel"])
          #expect(
            participant.aboutAudio == [
              .connecting(reconnecting: false), .started(reconnecting: false), .interrupted,
              .connecting(reconnecting: true), .started(reconnecting: true),
            ])
        }
      }
    }

    @Test func `nobody appears to leave when presence and the gateway are killed in turn`()
      async throws
    {
      try await withFive { meeting, five in
        let installation = meeting.installation
        try await installation.presence.kill()
        try await installation.gateway.process.kill()
        try await installation.gateway.process.start()
        for participant in five { try await participant.hears(.interrupted) }
        try await installation.presence.start()
        for participant in five { try await participant.hears(.started(reconnecting: true)) }
        try await isIntact(meeting, five, with: "eve")
        try await meeting.sentinelIsLost(heardBy: five)
        for participant in five { try participant.heardNoFalsePresence(but: ["sentinel"]) }
      }
    }

    @Test func `an attendee who leaves while presence is down is reported as gone once`()
      async throws
    {
      try await withFive { meeting, five in
        try await meeting.installation.presence.kill()
        try await five[4].leave()
        try await meeting.installation.presence.start()
        let four = Array(five.prefix(4))
        for participant in four {
          try await participant.knows(exactly: ["ada", "grace", "lin", "kay"])
        }
        try await isIntact(meeting, four, with: "eve")
        for participant in four {
          #expect(participant.heard.entries.filter(\.isDeparture).count == 1)
        }
      }
    }

    @Test func `a gateway hands over its clients and exits cleanly when it is asked to stop`()
      async throws
    {
      try await withFive { meeting, five in
        let gateway = meeting.installation.gateway.process
        #expect(try await gateway.terminate(within: .seconds(10)) == .exited(code: 0))
        for participant in five { try await participant.hears(.interrupted) }
        try await gateway.start()
        for participant in five { try await participant.hears(.started(reconnecting: true)) }
        try await isIntact(meeting, five, with: "eve")
        for participant in five { try participant.heardNoFalsePresence() }
        #expect(
          try await meeting.installation.presence.terminate(within: .seconds(10))
            == .exited(code: 0))
      }
    }

    @Test func `a gateway that hangs for a while loses no client`() async throws {
      try await withFive { meeting, five in
        try await meeting.installation.gateway.process.pause()
        for participant in five { try await participant.hears(.interrupted) }
        meeting.installation.gateway.process.resume()
        for participant in five { try await participant.hears(.started(reconnecting: true)) }
        try await isIntact(meeting, five, with: "eve")
        try await meeting.sentinelIsLost(heardBy: five)
        for participant in five { try participant.heardNoFalsePresence(but: ["sentinel"]) }
      }
    }
  }
}
