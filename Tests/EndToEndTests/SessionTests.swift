import AdaptiveTrials
import CarillonClient
import Foundation
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  struct SessionTests {
    @Test func `a session reports connecting, start and stop once each, on the main thread`()
      async throws
    {
      try await withMeeting { meeting in
        let ada = try await meeting.participant("ada")
        ada.audioVideo.stop()
        try await ada.join()
        try await ada.leave()
        ada.audioVideo.stop()
        // The client delivers earlier callbacks before the callbacks about grace.
        let grace = try await meeting.joined("grace")
        #expect(
          ada.aboutAudio == [
            .connecting(reconnecting: false), .started(reconnecting: false), .stopped(.ok),
          ])
        try ada.heardAllOnMain()
        #expect(grace.heard.entries.roster == ["grace"])
        try await grace.leave()
      }
    }

    @Test func `a second start is refused, and a session started again after a stop is unmuted`()
      async throws
    {
      try await withMeeting { meeting in
        let ada = try await meeting.participant("ada")
        let grace = try await meeting.joined("grace")
        #expect(!ada.audioVideo.realtimeLocalMute())
        try await ada.join()
        #expect(throws: MediaError.illegalState) { try ada.audioVideo.start() }
        try ada.mute()
        try await grace.hears(.muted("ada"))
        try await ada.leave()
        try await grace.hears(.left("ada"))
        let mark = grace.mark
        try await ada.join()
        try await grace.hears(.joined("ada"), since: mark)
        try await grace.hears(.volume("ada", .notSpeaking), since: mark)
        #expect(!grace.heard.entries.muted.contains("ada"))
        #expect(ada.aboutAudio.count(.started(reconnecting: false)) == 2)
      }
    }

    @Test func `a restarted session reports neither its own leave nor past events`()
      async throws
    {
      try await withMeeting { meeting in
        let ada = try await meeting.joined("ada")
        for round in 1...3 {
          try await ada.leave()
          for guest in 1...5 {
            let guest = try await meeting.joined("guest-\(round)-\(guest)")
            try guest.mute()
            try guest.unmute()
            try await guest.leave()
          }
          let mark = ada.mark
          try await ada.join()
          let grace = try await meeting.joined("grace-\(round)")
          try await ada.hears(.joined(grace.name), since: mark)
          try await grace.leave()
          try await ada.hears(.left(grace.name), since: mark)
          #expect(
            ada.heard.entries.dropFirst(mark).filter(\.isAboutRoster)
              == [.joined("ada"), .joined(grace.name), .left(grace.name)])
        }
      }
    }

    @Test func `a deleted meeting is reported once, and a later stop reports nothing`()
      async throws
    {
      try await withMeeting { meeting in
        let both = try await meeting.joined(["ada", "grace"])
        try await meeting.installation.deleteMeeting(meeting.record)
        for participant in both {
          try await participant.hears(.stopped(.audioServerHungup))
          participant.audioVideo.stop()
        }
        let late = try await meeting.participant(both[0].attendee).refusal()
        #expect(late == .audioCallEnded)
        for participant in both {
          #expect(
            participant.aboutAudio == [
              .connecting(reconnecting: false), .started(reconnecting: false),
              .stopped(.audioServerHungup),
            ])
          try participant.heardAllOnMain()
        }
      }
    }

    @Test func `an attendee's second join ends the first session, and no leave is reported`()
      async throws
    {
      try await withMeeting { meeting in
        let both = try await meeting.joined(["ada", "grace"])
        let second = meeting.participant(both[0].attendee)
        try await second.join()
        try await both[0].hears(.stopped(.audioJoinedFromAnotherDevice))
        try second.mute()
        try await both[1].hears(.muted("ada"))
        try both[1].heardNoFalsePresence()
        #expect(!second.heard.entries.contains(.stopped(.audioJoinedFromAnotherDevice)))
      }
    }

    @Test func `a lost connection is reported and resumed without repeated joins`() async throws {
      try await withMeeting { meeting in
        let grace = try await meeting.joined("grace")
        let relay = try meeting.relay()
        defer { relay.close() }
        let ada = try await meeting.joined("ada", through: "ipc://" + relay.path)
        try ada.mute()
        try await grace.hears(.muted("ada"))
        relay.set(.cut)
        try await ada.hears(.interrupted)
        try grace.mute()  // Ada misses the mute until she reconnects.
        relay.set(.open)
        try await ada.hears(.started(reconnecting: true))
        try await ada.hears(.muted("grace"))
        try await meeting.sentinelIsLost(heardBy: [ada, grace])
        #expect(
          ada.aboutAudio == [
            .connecting(reconnecting: false), .started(reconnecting: false), .interrupted,
            .connecting(reconnecting: true), .started(reconnecting: true),
          ])
        for participant in [ada, grace] {
          try participant.heardNoFalsePresence(but: ["sentinel"])
          try participant.heardAllOnMain()
        }
        #expect(ada.heard.entries.muted == ["ada", "grace"])
        #expect(grace.heard.entries.muted == ["ada", "grace"])
      }
    }

    @Test func `client and gateway detect a connection that passes no data`() async throws {
      try await withMeeting { meeting in
        let grace = try await meeting.joined("grace")
        let relay = try meeting.relay()
        defer { relay.close() }
        let ada = try await meeting.joined("ada", through: "ipc://" + relay.path)
        relay.set(.silent)
        try await ada.hears(.interrupted)
        try await grace.hears(.lost("ada"))
        relay.set(.cut)
        relay.set(.open)
        try await ada.hears(.started(reconnecting: true))
        try await grace.knows(exactly: ["ada", "grace"])
        #expect(grace.heard.entries.count(.lost("ada")) == 1)
        #expect(grace.heard.entries.count(.joined("ada")) == 2)
      }
    }

    @Test func `a lost connection ends the session after the reconnect timeout`()
      async throws
    {
      try await withMeeting { meeting in
        let grace = try await meeting.joined("grace")
        let relay = try meeting.relay()
        defer { relay.close() }
        let ada = try await meeting.participant("ada", through: "ipc://" + relay.path)
        try await ada.join(AudioVideoConfiguration(reconnectTimeoutMs: 1_500))
        relay.set(.cut)
        try await ada.hears(.stopped(.audioServiceUnavailable))
        #expect(
          ada.aboutAudio == [
            .connecting(reconnecting: false), .started(reconnecting: false), .interrupted,
            .connecting(reconnecting: true), .cancelled, .stopped(.audioServiceUnavailable),
          ])
        try await grace.hears(.lost("ada"))
        #expect(grace.heard.entries.count(.lost("ada")) == 1)
        ada.audioVideo.stop()
        relay.set(.open)
        try await ada.join()
        try await grace.knows(exactly: ["ada", "grace"])
      }
    }

    @Test func `a session finds its gateway in the responses of the REST API`() async throws {
      try await Installation.run { installation in
        let rest = LocalHTTP.Place.port(installation.gateway.restPort)
        let meeting = try await LocalHTTP.ask(
          "POST", "/meetings", at: rest,
          json: #"{"ClientRequestToken":"t1","ExternalMeetingId":"tea","MediaRegion":"us-east-1"}"#)
        #expect(meeting.status == 200)
        let made = try CreateMeetingResponse(json: Data(meeting.body.utf8))
        let id = try #require(meeting.body.firstMatch(of: #/"MeetingId":"([^"]+)"/#)?.1)
        let attendee = try await LocalHTTP.ask(
          "POST", "/meetings/\(id)/attendees", at: rest, json: #"{"ExternalUserId":"ada"}"#)
        #expect(attendee.status == 200)
        let configuration = MeetingSessionConfiguration(
          createMeetingResponse: made,
          createAttendeeResponse: try CreateAttendeeResponse(json: Data(attendee.body.utf8)))
        #expect(configuration.urls.gatewayUrl == "tcp://127.0.0.1:\(installation.gateway.tcpPort)")
        for url in [configuration.urls.gatewayUrl, nil] {
          let ada = Participant(
            V1.AttendeeRecord(
              meetingID: configuration.meetingId,
              attendeeID: configuration.credentials.attendeeId,
              externalUserID: configuration.credentials.externalUserId,
              joinToken: configuration.credentials.joinToken),
            through: url, signalingURL: configuration.urls.signalingUrl)
          try await ada.join()
          try await ada.leave()
        }
      }
    }
  }
}
