import CarillonClient
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  struct TwoGatewaysTests {
    private static let both = Installation.Options(gateways: ["gateway-a", "gateway-b"])

    @Test func `clients of two gateways have the same roster`() async throws {
      try await withMeeting(Self.both) { meeting in
        let gateways = meeting.installation.gateways
        let ada = try await meeting.joined("ada", through: gateways[0].clientURL)
        let grace = try await meeting.joined("grace", through: gateways[1].clientURL)
        for participant in [ada, grace] { try await participant.knows(exactly: ["ada", "grace"]) }
        try grace.mute()
        try await ada.hears(.muted("grace"))
        let request = V1.SetMutedByOperatorRequest(
          meetingID: meeting.record.meetingID, attendeeID: grace.attendee.attendeeID,
          isMuted: true)
        _ = try await meeting.installation.ask(
          V1.OperatorMethods.setMutedByOperator, request, of: 0)
        try await eventually("grace to know that she may not unmute") {
          !grace.audioVideo.realtimeLocalUnmute()
        }
        try await ada.leave()
        try await grace.hears(.left("ada"))
        try await meeting.installation.deleteMeeting(meeting.record)
        try await grace.hears(.stopped(.audioServerHungup))
      }
    }

    @Test func `a session can be resumed through the other gateway`() async throws {
      try await withMeeting(Self.both) { meeting in
        let grace = try await meeting.joined("grace")
        let relay = try meeting.relay()
        defer { relay.close() }
        let ada = try await meeting.joined("ada", through: "ipc://" + relay.path)
        try ada.mute()
        try await grace.hears(.muted("ada"))
        relay.set(.cut)
        try await ada.hears(.interrupted)
        relay.lead(to: meeting.installation.gateways[1].path("client"))
        relay.set(.open)
        try await ada.hears(.started(reconnecting: true))
        try grace.mute()
        try await ada.hears(.muted("grace"))
        try await meeting.sentinelIsLost(heardBy: [ada, grace])
        for participant in [ada, grace] {
          try participant.heardNoFalsePresence(but: ["sentinel"])
          #expect(participant.heard.entries.muted == ["ada", "grace"])
        }
        let metrics = try await meeting.installation.metrics(
          of: meeting.installation.gateways[1])
        #expect(metrics.sum("carillon_gateway_sessions") == 1)
      }
    }

    @Test func `clients of a dead gateway continue through the other gateway`() async throws {
      try await withMeeting(Self.both) { meeting in
        let other = meeting.installation.gateways[1]
        let grace = try await meeting.joined("grace", through: other.clientURL)
        let relay = try meeting.relay()
        defer { relay.close() }
        let ada = try await meeting.joined("ada", through: "ipc://" + relay.path)
        relay.lead(to: other.path("client"))
        try await meeting.installation.gateway.process.kill()
        try await ada.hears(.started(reconnecting: true))
        try grace.mute()
        try await ada.hears(.muted("grace"))
        // Wait for longer than the grace period of a lost gateway. After this period, the services
        // regard the gateway's attendees as lost unless they have reconnected.
        try await meeting.installation.gateway.process.start()
        try await meeting.installation.becomeReady()
        try await meeting.sentinelIsLost(heardBy: [ada, grace])
        for participant in [ada, grace] {
          try participant.heardNoFalsePresence(but: ["sentinel"])
        }
      }
    }

    @Test func `nobody appears to leave when presence is killed while two gateways run`()
      async throws
    {
      try await withMeeting(Self.both) { meeting in
        let gateways = meeting.installation.gateways
        let ada = try await meeting.joined("ada", through: gateways[0].clientURL)
        let grace = try await meeting.joined("grace", through: gateways[1].clientURL)
        try ada.mute()
        try await grace.hears(.muted("ada"))
        try await meeting.installation.presence.kill()
        try await meeting.installation.presence.start()
        try grace.mute()
        for participant in [ada, grace] {
          try await participant.knowsMuted(exactly: ["ada", "grace"])
        }
        try await meeting.sentinelIsLost(heardBy: [ada, grace])
        for participant in [ada, grace] {
          try participant.heardNoFalsePresence(but: ["sentinel"])
        }
      }
    }

    @Test func `an operator's mute persists at the other gateway when presence is killed`()
      async throws
    {
      try await withMeeting(Self.both) { meeting in
        let gateways = meeting.installation.gateways
        let ada = try await meeting.joined("ada", through: gateways[1].clientURL)
        let grace = try await meeting.joined("grace", through: gateways[0].clientURL)
        try await meeting.installation.mute(ada.attendee)
        for participant in [ada, grace] { try await participant.hears(.muted("ada")) }
        try await meeting.installation.presence.kill()
        try await meeting.installation.presence.start()
        try grace.mute()
        for participant in [ada, grace] {
          try await participant.knowsMuted(exactly: ["ada", "grace"])
        }
        #expect(!ada.heard.entries.contains(.unmuted("ada")))
      }
    }
  }
}
