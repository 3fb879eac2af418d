import CarillonClient
import Foundation
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  struct RosterTests {
    @Test func `a late joiner gets the whole roster first`() async throws {
      try await withMeeting { meeting in
        let early = try await meeting.joined(["ada", "grace", "lin"])
        try early[1].mute()
        for participant in early { try await participant.hears(.muted("grace")) }
        let late = try await meeting.joined("kay")
        try await late.knowsMuted(exactly: ["grace"])
        let presence = late.heard.entries.filter(\.isAboutPresence)
        #expect(
          Set(presence.prefix(4))
            == [.joined("ada"), .joined("grace"), .joined("lin"), .joined("kay")])
        #expect(presence.count == 4)
      }
    }

    @Test func `a leave is reported once to the remaining attendees`() async throws {
      try await withMeeting { meeting in
        let all = try await meeting.joined(["ada", "grace", "lin"])
        try await all[0].leave()
        for participant in all[1...] { try await participant.hears(.left("ada")) }
        try await meeting.sentinelIsLost(heardBy: Array(all[1...]))
        for participant in all[1...] {
          #expect(
            participant.heard.entries.filter(\.isDeparture) == [.left("ada"), .lost("sentinel")])
          #expect(participant.heard.entries.roster == ["grace", "lin"])
        }
      }
    }

    @Test(.enabled(if: PythonClient.isInstalled))
    func `Swift and Python clients see the same roster, and report a killed client as lost once`()
      async throws
    {
      try await withMeeting { meeting in
        let both = try await meeting.joined(["ada", "grace"])
        try both[1].mute()
        try await both[0].hears(.muted("grace"))
        let python = try await PythonClient("monty", in: meeting, isMuted: true)
        try await python.process.start()
        for participant in both {
          try await participant.knows(exactly: ["ada", "grace", "monty"])
          try await participant.knowsMuted(exactly: ["grace", "monty"])
        }
        let roster = try await python.hears("started").roster
        #expect(Set(roster.map(\.externalUserID)) == ["ada", "grace", "monty"])
        #expect(Set(roster.filter(\.isMuted).map(\.externalUserID)) == ["grace", "monty"])
        try both[1].unmute()
        _ = try await python.hears("unmuted", about: "grace")
        let lin = try await meeting.joined("lin")
        _ = try await python.hears("joined", about: "lin")
        try await lin.leave()
        _ = try await python.hears("left", about: "lin")
        try await python.process.kill()
        for participant in both {
          try await participant.hears(.lost("monty"), within: .seconds(8))
        }
        try await meeting.sentinelIsLost(heardBy: both)
        for participant in both {
          #expect(participant.heard.entries.count(.lost("monty")) == 1)
          try participant.heardNoFalsePresence(but: ["lin", "monty", "sentinel"])
        }
      }
    }

    @Test
    func
      `attendees that connect by TCP and attendees that connect by a Unix socket see each other`()
      async throws
    {
      try await withMeeting { meeting in
        let tcp = "tcp://127.0.0.1:\(meeting.installation.gateway.tcpPort)"
        let ada = try await meeting.joined("ada", through: tcp)
        let grace = try await meeting.joined("grace")
        try ada.mute()
        try await grace.hears(.muted("ada"))
        try await ada.knows(exactly: ["ada", "grace"])
        try await ada.leave()
        try await grace.hears(.left("ada"))
      }
    }
  }
}
