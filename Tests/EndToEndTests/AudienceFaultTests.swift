import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests that a crashed gateway, a client that never reads, or many promotions do not affect the
  /// other clients of an audience.
  struct AudienceFaultTests {
    @Test func `a gateway's crash ends its client's promotion but does not affect other gateways`()
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

    /// Returns the number of answers to calls. A watcher makes no calls except keep-alives.
    private static func replies(_ answers: [RawClient.Answer]) -> Int {
      answers.count { $0.header.kind == .reply }
    }

    @Test func `a promoted client that never reads is disconnected, and other clients continue`()
      async throws
    {
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
              // Keep-alives acknowledge messages. After every ten messages, ada waits until sam has
              // acknowledged these ten messages.
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

    /// Twenty clients request promotion and demotion fifty times each without waiting for answers:
    /// a thousand promotions within the first second.
    @Test func `after a thousand promotions a second, every client is in the right meeting`()
      async throws
    {
      let flags = ["--requests-per-second", "1000", "--request-burst", "1000"]
      try await Installation.run(.init(gatewayFlags: flags)) { installation in
        let audience = try await Audience.make(2, in: installation)
        try await audience.withClients("ada", "sam@1") { clients in
          let (ada, sam) = (try #require(clients["ada"]), try #require(clients["sam"]))
          var crowd: [(watcher: Watcher, attendee: V1.AttendeeRecord)] = []
          for number in 0..<20 {
            let rob = try await installation.createAttendee(
              "rob\(number)", in: audience.replicas[number % 2])
            let client = RawClient(on: installation.thread)
            try await client.connect(to: installation.gateway.clientURL, in: installation.context)
            let started = try await client.start(rob)
            let paul = try await installation.createAttendee("paul\(number)", in: audience.primary)
            crowd.append((Watcher(client: client, record: rob, started: started), paul))
          }
          var calls: [(Watcher, [UInt64])] = []
          for (watcher, attendee) in crowd {
            calls.append((watcher, try await watcher.flickers(as: attendee, times: 50)))
          }
          for number in 0..<20 { try await ada.client.sayAndWait("chat", "\(number)") }
          for (watcher, ids) in calls {
            for id in ids {
              let answer = try await watcher.client.answer(to: id)
              // The promotion may already have ended, or another promotion of the client may be in
              // progress.
              let codes: [StatusCode?] = [nil, .aborted, .failedPrecondition]
              #expect(codes.contains(answer.status?.code), "\(String(describing: answer.status))")
            }
            let answered = watcher.client.answers.entries.map(\.header.callID)
            #expect(ids.allSatisfy { id in answered.count { $0 == id } == 1 })
            #expect(watcher.demotions.isEmpty)
          }
          // No attendee is still promoted, no other client is affected, and every client can be
          // promoted again.
          for watcher in [ada, sam] { try await watcher.sees(exactly: ["ada"]) }
          try await sam.client.hears(exactly: (0..<20).map { "\($0)" })
          for (watcher, attendee) in crowd {
            #expect(try await watcher.promote(as: attendee).status == nil)
          }
          let all = Set(["ada"] + (0..<20).map { "paul\($0)" })
          for watcher in [ada, sam] { try await watcher.sees(exactly: all) }
          for (watcher, _) in crowd { await watcher.client.close() }
        }
      }
    }
  }
}
