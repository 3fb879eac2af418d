import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// What goes wrong with one of an audience, and who may notice.
  struct AudienceFaultTests {
    @Test func `a gateway dies with who is promoted there, who watches through the other`()
      async throws
    {
      try await Installation.run(.init(gateways: ["gateway-a", "gateway-b"])) { installation in
        let audience = try await Audience.make(2, in: installation)
        let paul = try await installation.createAttendee("paul", in: audience.primary)
        let record = try await installation.createAttendee("rob", in: audience.replicas[0])
        try await audience.withClients("ada", "sam@1") { clients in
          let (ada, sam) = (try #require(clients["ada"]), try #require(clients["sam"]))
          var session: [UInt8] = []
          try await withRawClient(installation, at: installation.gateways[1].clientURL) { client in
            let started = try await client.start(record)
            session = started.sessionID
            let rob = Watcher(client: client, record: record, started: started)
            #expect(try await rob.promote(as: paul).status == nil)
            for watcher in [ada, sam] { try await watcher.sees(exactly: ["ada", "paul"]) }
            try await installation.gateways[1].process.kill()
          }
          try await withRawClient(installation) { client in
            let started = try await client.start(record, resuming: (session, []))
            let rob = Watcher(client: client, record: record, started: started)
            for watcher in [ada, sam, rob] { try await watcher.sees(exactly: ["ada"]) }
            try await rob.isRefusedAMessage()
            try await ada.client.sayAndWait("chat", "welcome back")
            for watcher in [sam, rob] {
              try await watcher.client.hears(exactly: ["welcome back"])
            }
            #expect(try await rob.promote(as: paul).status == nil)
            for watcher in [ada, sam, rob] { try await watcher.sees(exactly: ["ada", "paul"]) }
            #expect(ada.demotions.isEmpty && sam.demotions.isEmpty)
          }
          try await installation.gateways[1].process.start()
          try await installation.becomeReady()
        }
      }
    }

    /// Answers to calls; a watcher makes none but keep-alives.
    private static func replies(_ answers: [RawClient.Answer]) -> Int {
      answers.count { $0.header.kind == .reply }
    }

    @Test func `who is promoted and never reads is ended, and nobody else notices`() async throws {
      try await Installation.run(.init(gatewayFlags: ["--client-budget-kib", "64"])) {
        installation in
        let audience = try await Audience.make(2, in: installation)
        let paul = try await installation.createAttendee("paul", in: audience.primary)
        let record = try await installation.createAttendee("rob", in: audience.replicas[0])
        try await audience.withClients("ada", "sam@1") { clients in
          let (ada, sam) = (try #require(clients["ada"]), try #require(clients["sam"]))
          try await withRawClient(installation) { slow in
            let started = try await slow.start(record, isKeptAlive: false)
            let rob = Watcher(client: slow, record: record, started: started)
            #expect(try await rob.promote(as: paul).status == nil)
            try await ada.sees(exactly: ["ada", "paul"])
            await slow.keepAlive(
              every: .milliseconds(Int(started.keepAliveMs)), acknowledges: false)
            let text = String(repeating: "x", count: 2_000)
            var sent: [String] = []
            for number in 0..<60 {
              sent.append("\(number) \(text)")
              try await ada.client.sayAndWait("chat", "\(number) \(text)")
              // Who reads says so with its keep-alives; ada waits for that now and then.
              if number % 10 == 9 {
                try await sam.client.hears(exactly: sent)
                let before = Self.replies(sam.client.answers.entries)
                try await sam.client.answers.wait(for: "two keep-alives") {
                  Self.replies($0) >= before + 2
                }
              }
            }
            #expect(try await slow.ending()?.reason == .slowConsumer)
            for watcher in [ada, sam] { try await watcher.sees(exactly: ["ada"]) }
            #expect(try await ada.client.setMuted(true).status == nil)
          }
          #expect(ada.client.wasDisconnected == false && sam.client.wasDisconnected == false)
        }
      }
    }
  }
}
