import Foundation
import MeetingModel
import TestSupport
import Testing
import Wire

extension EndToEnd {
  /// Tests of data messages while connections break and the test kills processes.
  struct MessageRecoveryTests {
    @Test func `no acknowledged message is lost or repeated when messaging is killed under load`()
      async throws
    {
      try await withTalkers(["ada", "grace", "lin"]) { meeting, clients in
        var calls: [UInt64] = []
        for number in 0..<60 {
          calls.append(
            try await clients[0].say("chat", Array("\(number)".utf8), key: "k-\(number)"))
          if number == 30 { try await meeting.installation.messaging.kill() }
        }
        try await meeting.installation.messaging.start()
        var sent: [SentMessage] = []
        for (turn, call) in calls.enumerated() {
          let place = try await clients[0].place(of: call)
          sent.append(
            SentMessage(
              text: "\(turn)", sender: "ada", lifetimeMs: 0, listeners: 3, turn: turn,
              outcome: .accepted(sequence: place.sequence, id: place.messageID)))
        }
        // Receivers get the messages of one connection in the order in which the client sent them.
        #expect(HistoryChecker(sent: sent, histories: []).violations().isEmpty)
        for listener in clients[1...] { try await listener.hears(exactly: sent.map(\.text)) }
      }
    }

    @Test
    func `messaging accepts messages again after the loss of its term counter and registry record`()
      async throws
    {
      try await withTalkers(["ada"]) { meeting, clients in
        let installation = meeting.installation
        // The restart begins a second ownership term of messaging, and the gateway learns of this
        // term.
        try await installation.messaging.kill()
        try await installation.messaging.start()
        try await installation.becomeReady()
        try await clients[0].sayAndWait("chat", "one", key: "one")
        try await installation.messaging.kill()
        let record = "\(installation.directory)/run/registry/messaging/messaging-a"
        for path in [
          record + ".term", record + ".json",
          "\(installation.directory)/data/terms/messaging.messaging-a",
        ] { try FileManager.default.removeItem(atPath: path) }
        try await installation.messaging.start()
        try await eventually("a message to be stored") {
          (try? await clients[0].sayAndWait("chat", "two", key: "two")) != nil
        }
        try await installation.becomeReady()
      }
    }

    @Test func `a resumed client gets each missed message once, even live-only messages`()
      async throws
    {
      try await withTalkers(["ada"]) { meeting, clients in
        let grace = try await meeting.installation.createAttendee("grace", in: meeting.record)
        var resumed: (session: [UInt8], positions: [V1.StreamPosition]) = ([], [])
        try await withRawClient(meeting.installation) { client in
          resumed.session = try await client.start(grace).sessionID
          try await clients[0].sayAndWait("chat", "heard")
          try await client.hears(exactly: ["heard"])
          resumed.positions = [try #require(client.position(in: "messages"))]
        }
        try await clients[0].sayAndWait("chat", "missed", lifetimeMs: 0)
        try await withRawClient(meeting.installation) { client in
          let started = try await client.start(grace, resuming: resumed)
          #expect(started.incompleteStreams.isEmpty)
          try await clients[0].sayAndWait("chat", "after")
          try await client.hears(exactly: ["missed", "after"])
        }
      }
    }

    @Test func `after the gateway is killed, resuming clients miss no message`() async throws {
      try await withMeeting { meeting in
        let installation = meeting.installation
        let ada = try await installation.createAttendee("ada", in: meeting.record)
        let grace = try await installation.createAttendee("grace", in: meeting.record)
        var sessions: [[UInt8]] = []
        var positions: [V1.StreamPosition] = []
        try await withRawClient(installation) { first in
          try await withRawClient(installation) { second in
            sessions = [
              try await first.start(ada).sessionID, try await second.start(grace).sessionID,
            ]
            try await first.sayAndWait("chat", "one")
            try await second.hears(exactly: ["one"])
            positions = [try #require(second.position(in: "messages"))]
            try await first.sayAndWait("chat", "two")
            try await installation.gateway.process.kill()
          }
        }
        try await installation.gateway.process.start()
        try await installation.becomeReady()
        try await withRawClient(installation) { first in
          try await withRawClient(installation) { second in
            try await first.start(ada, resuming: (sessions[0], []))
            try await second.start(grace, resuming: (sessions[1], positions))
            try await first.sayAndWait("chat", "three")
            try await second.hears(exactly: ["two", "three"])
          }
        }
      }
    }

    @Test func `a client that joins while messaging is down gets the messages after the restart`()
      async throws
    {
      try await withTalkers(["ada"]) { meeting, clients in
        try await clients[0].sayAndWait("chat", "before", lifetimeMs: 60_000)
        try await meeting.installation.messaging.kill()
        try await withTalker("late", in: meeting) { late, _ in
          try await meeting.installation.messaging.start()
          try await clients[0].sayAndWait("chat", "after")
          try await late.hears(exactly: ["before", "after"])
        }
      }
    }

    @Test func `a receiver that stops reading is disconnected as a slow consumer and can resume`()
      async throws
    {
      // If a client reads but sends no acknowledgements, the client exceeds its budget, like a
      // client that does not read.
      let options = Installation.Options(
        messagingFlags: ["--data-messages-per-second", "10000", "--data-message-burst", "10000"],
        gatewayFlags: ["--client-budget-kib", "96"])
      try await withTalkers(["ada"], options) { meeting, clients in
        let grace = try await meeting.installation.createAttendee("grace", in: meeting.record)
        var resumed: (session: [UInt8], positions: [V1.StreamPosition]) = ([], [])
        let data = [UInt8](repeating: 1, count: 2_000)
        try await withRawClient(meeting.installation) { client in
          resumed.session = try await client.start(grace, isKeptAlive: false).sessionID
          await client.keepAlive(every: .milliseconds(200), acknowledges: false)
          for _ in 0..<60 { _ = try await clients[0].place(of: clients[0].say("chat", data)) }
          let status = try await client.ending()
          #expect(status?.reason == .slowConsumer)
          resumed.positions = [try #require(client.position(in: "messages"))]
        }
        try await withRawClient(meeting.installation) { client in
          let started = try await client.start(grace, resuming: resumed)
          #expect(started.incompleteStreams.isEmpty)
          let missing = 60 - Int(resumed.positions[0].sequence)
          #expect(missing > 0)
          let heard = try await client.hears(count: missing)
          #expect(heard.map(\.sequence) == Array((resumed.positions[0].sequence + 1)...60))
        }
      }
    }
  }
}
