import Glibc
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests of clients that use the protocol but misbehave.
  struct BadClientsTests {
    private static let methods = V1.AudioVideoFacadeMethods.self

    @Test func `absurd credentials get the same error as wrong credentials`() async throws {
      try await withNeighbours { meeting, _ in
        let attendee = try await meeting.installation.createAttendee("eve", in: meeting.record)
        let long = String(repeating: "a", count: 10_000)
        var absurd: [V1.StartRequest] = []
        for text in ["", long, "../../etc/passwd", "🙃", "'; DROP TABLE meetings; --"] {
          var start = attendee.start()
          start.meetingID = text
          absurd.append(start)
          start = attendee.start()
          start.attendeeID = text
          absurd.append(start)
          start = attendee.start()
          start.joinToken = text
          absurd.append(start)
        }
        var start = attendee.start("#content#content")
        absurd.append(start)
        for start in absurd {
          try await withRawClient(meeting.installation) { client in
            try await client.send(Self.methods.start.key, start.packed())
            #expect(try await client.ending()?.sessionStatus == .audioAuthenticationRejected)
          }
        }
        start = attendee.start()
        start.sessionID = [1, 2, 3]
        start.clientName = long
        try await withRawClient(meeting.installation) { client in
          try await client.send(Self.methods.start.key, start.packed())
          #expect(try await client.ending()?.code == .invalidArgument)
        }
        start.sessionID = [UInt8](repeating: 7, count: 16)
        start.positions = Array(repeating: V1.StreamPosition(stream: long), count: 4)
        try await withRawClient(meeting.installation) { client in
          try await client.send(Self.methods.start.key, start.packed())
          _ = try await client.answer("a start or an end") {
            $0.started != nil || $0.header.kind == .end
          }
        }
        let metrics = try await meeting.installation.metrics()
        #expect(
          metrics.sum("carillon_gateway_sessions_refused_total", ["status": "unauthenticated"])
            == absurd.count)
        #expect(
          metrics.sum("carillon_gateway_sessions_refused_total", ["status": "malformed"]) == 1)
      }
    }

    @Test func `a session id is refused on another connection`() async throws {
      try await withNeighbours { meeting, neighbours in
        let installation = meeting.installation
        let eve = try await installation.createAttendee("eve", in: meeting.record)
        let mallory = try await installation.createAttendee("mallory", in: meeting.record)
        let unmute = V1.SetMutedRequest(isMuted: true).packed()
        try await withRawClient(installation) { victim in
          try await victim.start(eve)
          let stolen = await victim.sessionID
          try await withRawClient(installation) { thief in
            let strangers = try await thief.call(Self.methods.setMuted.key, unmute, session: stolen)
            #expect(strangers.status?.code == .unauthenticated)
            try await thief.start(mallory)
            for session in [stolen, [], [1], [UInt8](repeating: 0, count: 16)] {
              for method in [Self.methods.setMuted.key, Self.methods.stop.key] {
                let answer = try await thief.call(method, unmute, session: session)
                #expect(answer.status?.code == .unauthenticated)
              }
            }
          }
          #expect(try await ServiceSocket.clients.rejected("unauthorized", in: installation) >= 9)
          #expect(try await victim.setMuted(true).status == nil)
          try await neighbours.ada.hears(.muted("eve"))
        }
        #expect(!neighbours.ada.heard.entries.contains(.muted("mallory")))
      }
    }

    @Test func `a request that names another client's session acts on the sender's session`()
      async throws
    {
      try await withNeighbours { meeting, neighbours in
        let installation = meeting.installation
        let eve = try await installation.createAttendee("eve", in: meeting.record)
        let mallory = try await installation.createAttendee("mallory", in: meeting.record)
        try await withRawClient(installation) { victim in
          try await victim.start(eve)
          let (stolen, home) = (await victim.sessionID, meeting.record.meetingID)
          try await withRawClient(installation) { thief in
            try await thief.start(mallory)
            let mute = V1.SetMutedRequest(meetingID: home, sessionID: stolen, isMuted: true)
            #expect(try await thief.call(Self.methods.setMuted, mute).status == nil)
            try await neighbours.ada.hears(.muted("mallory"))

            // Only a service may send a message without a session. A service may name any sender
            // and any topic.
            var message = V1.SendDataMessageRequest(
              meetingID: MeetingID.random().text,
              sender: V1.AttendeeInfo(attendeeID: eve.attendeeID, externalUserID: "eve"),
              topic: "aws:chime:transcription", data: [1])
            let reserved = try await thief.call(Self.methods.sendDataMessage, message)
            #expect(reserved.status?.code == .invalidArgument)
            (message.sessionID, message.topic) = (stolen, "chat")
            #expect(try await thief.call(Self.methods.sendDataMessage, message).status == nil)
            let heard = try await victim.hears(count: 1)
            #expect(heard.map(\.sender?.attendeeID) == [mallory.attendeeID])

            var publish = RawClient.cameraRequest
            (publish.meetingID, publish.sessionID) = (home, stolen)
            #expect(try await thief.call(Self.methods.publishVideo, publish).status == nil)
            let sources = try await victim.hearsSources(1)
            #expect(sources.map(\.attendee?.attendeeID) == [mallory.attendeeID])
          }
        }
        #expect(!neighbours.ada.heard.entries.contains(.muted("eve")))
      }
    }

    @Test func `no gateway lets a client resume another client's session`() async throws {
      try await withNeighbours(.init(gateways: ["gateway-a", "gateway-b"])) { meeting, neighbours in
        let installation = meeting.installation
        let eve = try await installation.createAttendee("eve", in: meeting.record)
        let mallory = try await installation.createAttendee("mallory", in: meeting.record)
        try await withRawClient(installation) { victim in
          try await victim.start(eve)
          var start = mallory.start()
          start.sessionID = await victim.sessionID
          for gateway in installation.gateways {
            try await withRawClient(installation, at: gateway.clientURL) { thief in
              try await thief.send(Self.methods.start.key, start.packed())
              let answer = try await thief.answer("a start or an end") {
                $0.started != nil || $0.header.kind == .end
              }
              #expect(answer.started?.sessionID != start.sessionID)
            }
          }
          #expect(try await victim.setMuted(true).status == nil)
          try await neighbours.ada.hears(.muted("eve"))
        }
      }
    }

    @Test func `a connection that starts a session of a second attendee loses the first session`()
      async throws
    {
      try await withNeighbours { meeting, neighbours in
        let eve = try await meeting.installation.createAttendee("eve", in: meeting.record)
        let lin = try await meeting.installation.createAttendee("lin", in: meeting.record)
        try await withRawClient(meeting.installation) { client in
          try await client.start(eve, isKeptAlive: false)
          try await client.start(lin)
          try await neighbours.ada.hears(.joined("lin"))
          try await neighbours.ada.hears(.lost("eve"))
          #expect(try await client.setMuted(true).status == nil)
          try await neighbours.ada.hears(.muted("lin"))
        }
      }
    }

    @Test func `after a stop, a second stop gets the same answer, and other calls are refused`()
      async throws
    {
      try await withNeighbours { meeting, neighbours in
        let installation = meeting.installation
        let eve = try await installation.createAttendee("eve", in: meeting.record)
        try await withRawClient(installation) { client in
          try await client.start(eve, isKeptAlive: false)
          for _ in 1...2 {
            let answer = try await client.call(Self.methods.stop, V1.StopRequest())
            #expect(answer.status == nil)
          }
          #expect(try await client.setMuted(true).status?.code == .unauthenticated)
          try await neighbours.ada.hears(.left("eve"))
        }
      }
    }

    @Test func `repeated frames take effect only once`() async throws {
      try await withNeighbours { meeting, neighbours in
        let installation = meeting.installation
        let eve = try await installation.createAttendee("eve", in: meeting.record)
        try await withRawClient(installation) { client in
          try await client.start(eve)
          let session = await client.sessionID
          let header = V1.RequestHeader(
            version: 1, callID: 9_000, kind: .call, method: Self.methods.setMuted.key,
            sessionID: session)
          let frame = WireFrame.pack(
            header: header, body: V1.SetMutedRequest(isMuted: true))
          for _ in 1...20 { try await client.send(frame) }
          try await neighbours.ada.hears(.muted("eve"))
          try await withRawClient(installation) { other in
            for _ in 1...20 { try await other.send(frame) }
            let answers = try await other.answers.wait(for: "all answers") { $0.count == 20 }
            #expect(answers.allSatisfy { $0.status?.code == .unauthenticated })
          }
          _ = try await client.setMuted(false)
          try await neighbours.ada.hears(.unmuted("eve"))
          #expect(neighbours.ada.heard.entries.count(.muted("eve")) == 1)
          #expect(try await ServiceSocket.clients.rejected("unauthorized", in: installation) >= 20)
        }
      }
    }

    @Test func `a client that never reads is disconnected, and other clients continue`()
      async throws
    {
      try await withNeighbours(.init(gatewayFlags: ["--client-budget-kib", "64"])) {
        meeting, neighbours in
        let installation = meeting.installation
        let eve = try await installation.createAttendee("eve", in: meeting.record)
        let lin = try await installation.createAttendee("lin", in: meeting.record)
        try await withRawClient(installation) { slow in
          let started = try await slow.start(eve, isKeptAlive: false)
          let interval = Duration.milliseconds(Int(started.keepAliveMs))
          await slow.keepAlive(every: interval, acknowledges: false)
          try await withRawClient(installation) { busy in
            try await busy.start(lin)
            let keepAlives: @Sendable ([RawClient.Answer]) -> Int = { answers in
              answers.count {
                $0.header.kind == .reply && $0.header.status == nil && !$0.body.isEmpty
              }
            }
            // Wait for a keep-alive after each step, so that the backlog of the reading client
            // stays short.
            for step in 1...100 where slow.isOpen {
              for change in 1...100 { _ = try await busy.setMuted((step + change) % 2 == 0) }
              let before = keepAlives(busy.answers.entries)
              try await busy.answers.wait(for: "a keep-alive") { keepAlives($0) > before }
            }
            let status = try await slow.ending()
            #expect(status?.reason == .slowConsumer)
            #expect(status?.sessionStatus == .audioServerHungup)
          }
        }
        #expect(try await installation.metrics().sum("carillon_gateway_slow_clients_total") == 1)
        try await neighbours.ada.hears(.lost("eve"))
      }
    }

    @Test func `a client that sends no keep-alives is reported as lost once`() async throws {
      try await withNeighbours { meeting, neighbours in
        let eve = try await meeting.installation.createAttendee("eve", in: meeting.record)
        try await withRawClient(meeting.installation) { silent in
          try await silent.start(eve, isKeptAlive: false)
          #expect(try await silent.ending()?.reason == .keepAliveLost)
          try await neighbours.ada.hears(.lost("eve"))
        }
        try await meeting.sentinelIsLost(heardBy: [neighbours.ada])
        #expect(neighbours.ada.heard.entries.count(.lost("eve")) == 1)
        #expect(neighbours.ada.heard.entries.count(.joined("eve")) == 1)
      }
    }

    @Test func `a client that floods is disconnected, and a stranger that floods is refused`()
      async throws
    {
      try await withNeighbours { meeting, neighbours in
        let installation = meeting.installation
        let eve = try await installation.createAttendee("eve", in: meeting.record)
        try await withRawClient(installation) { client in
          try await client.start(eve)
          for _ in 1...3_000 { try await client.send(Self.methods.keepAlive.key) }
          let status = try await client.ending()
          #expect(status?.reason == .flooding)
          #expect(status?.sessionStatus == .audioServerHungup)
        }
        // The other clients see that the flooding client dropped, and not that it left.
        try await neighbours.ada.hears(.lost("eve"))
        let limited = "carillon_gateway_rate_limited_sessions_total"
        #expect(try await installation.metrics().sum(limited) == 1)

        let before = try await Self.refusedStrangers(in: installation)
        try await withRawClient(installation) { stranger in
          for _ in 1...1_000 { try await stranger.send(Self.methods.getLimits.key) }
          try await eventually("the flood to be refused") {
            try await Self.refusedStrangers(in: installation) >= before + 800
          }
        }
      }
    }

    /// Returns the number of strangers' requests that the rate limit or the limit of open calls
    /// refused.
    private static func refusedStrangers(in installation: Installation) async throws -> Int {
      let rate = try await ServiceSocket.clients.rejected("unauthorized", in: installation)
      return try await rate + ServiceSocket.clients.rejected("overloaded", in: installation)
    }

    @Test func `calls beyond the limit of open calls are refused`() async throws {
      try await withNeighbours { meeting, neighbours in
        let eve = try await meeting.installation.createAttendee("eve", in: meeting.record)
        try await withRawClient(meeting.installation) { client in
          try await client.start(eve)
          // During its suspension, presence answers no call, so all calls stay open.
          try await meeting.installation.presence.pause()
          let mute = V1.SetMutedRequest(isMuted: true).packed()
          for _ in 1...300 { try await client.send(Self.methods.setMuted.key, mute) }
          let refused = try await client.answer("a refusal") { $0.status?.reason == .overloaded }
          #expect(refused.status?.code == .resourceExhausted)
          // When the first refusal arrives, the gateway may not have read all other calls yet.
          try await eventually("the others to be refused") {
            try await ServiceSocket.clients.rejected("overloaded", in: meeting.installation) >= 30
          }
          meeting.installation.presence.resume()
          try await neighbours.ada.hears(.muted("eve"))
        }
      }
    }

    @Test func `a thousand silent connections are closed and delay no client`()
      async throws
    {
      let allowed = Self.raiseOpenFiles()
      try await withNeighbours { meeting, neighbours in
        let installation = meeting.installation
        let gateway = installation.gateway
        let count = min(1_000, allowed / 2 - 200)
        if count < 1_000 { print("Only \(count) connections: \(allowed) files may be open.") }
        var silent: [LocalSocket] = []
        for _ in 0..<count { silent.append(try LocalSocket(connectedTo: gateway.path("client"))) }
        for _ in 0..<50 {
          silent.append(try LocalSocket(connectedToPort: gateway.restPort))
          silent.append(try LocalSocket(connectedTo: installation.presencePath("rpc")))
        }
        try await neighbours.noticedNothing()
        let lin = try await meeting.joined("lin")
        let health = try await LocalHTTP.ask("GET", "/healthz", at: .port(gateway.restPort))
        #expect(health.status == 200)
        #expect(try await installation.metrics().sum("carillon_gateway_rest_connections") >= 50)
        try await eventually("the silent ones to be ended") {
          try await ServiceSocket.clients.connections("handshake_failed", in: installation) >= count
        }
        try await lin.leave()
        silent = []
      }
    }

    /// Raises the limit of open files of this process and its children to the hard limit.
    private static func raiseOpenFiles() -> Int {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      return Int(clamping: limit.rlim_cur)
    }
  }
}

extension RawClient {
  /// Whether the session is still open.
  nonisolated var isOpen: Bool { !answers.entries.contains { $0.header.kind == .end } }
}
