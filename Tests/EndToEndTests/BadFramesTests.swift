import MeetingModel
import TestSupport
import Testing
import Trials
import Wire
import ZeroMQ

extension EndToEnd {
  /// Tests of every socket that accepts requests. The tests send bytes that are not a request.
  struct BadFramesTests {
    private func withSocket(
      _ face: ServiceSocket, _ body: (Installation, RawClient) async throws -> Void
    ) async throws {
      try await withNeighbours { meeting, _ in
        let installation = meeting.installation
        let url = "ipc://" + face.path(in: installation)
        try await withRawClient(installation, at: url) { try await body(installation, $0) }
        try await withRawClient(installation, at: url) { client in
          let answer = try await client.call(face.ping)
          #expect(answer.status == nil)
        }
      }
    }

    @Test(arguments: ServiceSocket.allCases)
    func `truncated and nonsensical frames are answered with an error and counted`(
      face: ServiceSocket
    )
      async throws
    {
      try await withSocket(face) { installation, client in
        let header = V1.RequestHeader(version: 1, callID: 1, kind: .call, method: face.ping)
        let whole = WireFrame.pack(header: header)
        let before = try await face.rejected("malformed", in: installation)
        let bad: [[UInt8]] =
          (0..<whole.count).map { Array(whole.prefix($0)) } + [
            [0x80], [0xff, 0xff, 0xff, 0xff, 0xff, 0x01], [0x81, 0x20] + whole,
            [3, 0x08, 0x01, 0x10], [4, 0x0a, 0x7f, 0x00, 0x00], [2, 0xff, 0xff],
          ]
        for frame in bad { try await client.send(frame) }
        try await client.send(message: Array(repeating: [1], count: 40))
        let answers = try await client.answers.wait(for: "an answer to each") {
          $0.count == bad.count + 1
        }
        #expect(answers.allSatisfy { $0.header.callID == 0 && $0.header.kind == .reply })
        #expect(answers.allSatisfy { $0.status?.reason == .malformed })
        #expect(
          try await face.rejected("malformed", in: installation) == before + bad.count + 1)
      }
    }

    @Test(arguments: ServiceSocket.allCases)
    func `unknown methods and versions are refused and counted`(face: ServiceSocket) async throws {
      try await withSocket(face) { installation, client in
        let unknown = try await client.call(0x1234_5678)
        #expect(unknown.status?.code == .unimplemented)
        let newer = try await client.call(face.ping, version: 2)
        #expect(newer.status?.reason == .unsupportedVersion)
        #expect(newer.header.servedVersions == [1])
        let kind = try await client.send(face.ping, kind: .unspecified)
        #expect(try await client.answer(to: kind).status?.reason == .malformed)
        try await client.send(face.ping, kind: .cancel)
        #expect(try await face.rejected("unknown_method", in: installation) == 1)
        #expect(try await face.rejected("unsupported_version", in: installation) == 1)
        #expect(try await face.rejected("malformed", in: installation) == 1)
      }
    }

    @Test(arguments: ServiceSocket.allCases)
    func `bodies that cannot be parsed are refused and counted`(face: ServiceSocket) async throws {
      try await withSocket(face) { installation, client in
        let bad: [[UInt8]] = [
          // Truncated bodies.
          [0x0a], [0x0a, 0x10, 0x41], [0xff, 0xff, 0xff],
          // Invalid UTF-8.
          [0x0a, 0x02, 0xc3, 0x28], [0x0a, 0x01, 0xff], [0x0a, 0x03, 0xed, 0xa0, 0x80],
          // A NUL character.
          [0x0a, 0x03, 0x61, 0x00, 0x62],
        ]
        for body in bad {
          let answer = try await client.call(face.textual, body)
          #expect(answer.status?.code == .invalidArgument)
          #expect(answer.status?.reason == .malformed)
        }
        #expect(try await face.rejected("malformed", in: installation) == bad.count)
      }
    }

    @Test(arguments: ServiceSocket.allCases)
    func `after random bytes and damaged requests, a service still answers`(face: ServiceSocket)
      async throws
    {
      try await withSocket(face) { installation, client in
        var random = SeededGenerator(seed: 0x5eed)
        let header = V1.RequestHeader(version: 1, callID: 7, kind: .call, method: face.textual)
        let good = WireFrame.pack(
          header: header, body: V1.GetMeetingRequest(meetingID: MeetingID.random().text))
        for _ in 1...400 {
          let length = Int.random(in: 0...600, using: &random)
          try await client.send((0..<length).map { _ in .random(in: 0...255, using: &random) })
          var damaged = good
          for _ in 1...Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: 0..<damaged.count, using: &random)
            damaged[index] = .random(in: 0...255, using: &random)
          }
          try await client.send(damaged)
        }
        // The service handles requests in order. When the service has answered or refused this
        // request, it has handled all earlier requests.
        _ = try await client.call(face.ping)
        #expect(try await face.rejected("malformed", in: installation) > 300)
      }
    }

    @Test(arguments: [
      (ServiceSocket.clients, 65_537), (.clients, 1 << 20), (.operators, 17 << 20),
      (.presence, 17 << 20),
    ])
    func `a frame that is too large ends only its own connection`(
      face: ServiceSocket, size: Int
    )
      async throws
    {
      try await withNeighbours { meeting, _ in
        let installation = meeting.installation
        let url = "ipc://" + face.path(in: installation)
        try await withRawClient(installation, at: url) {
          try await $0.send([UInt8](repeating: 0x41, count: size))
          try await $0.isDisconnected()
        }
        try await eventually("the end to be counted") {
          // Only the clients' socket counts ended connections by reason. The other sockets use
          // libzmq, which does not report the reason.
          let event = face == .clients ? "protocol_violated" : "ended"
          return try await face.connections(event, in: installation) > 0
        }
        try await withRawClient(installation, at: url) {
          try await $0.send([UInt8](repeating: 0x41, count: 65_000))
          let answer = try await $0.answer("an answer") { _ in true }
          #expect(answer.status?.reason == .malformed)
        }
      }
    }

    @Test func `connections that do not use ZeroMQ are counted and affect no other client`()
      async throws
    {
      try await withNeighbours { meeting, _ in
        let installation = meeting.installation
        var random = SeededGenerator(seed: 0xbad)
        let paths =
          ServiceSocket.allCases.map { $0.path(in: installation) } + [
            installation.presencePath("events"), installation.presencePath("http"),
            installation.gateway.path("http"),
          ]
        for path in paths {
          for greeting in [[], [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3], Array("GET / HT".utf8)] {
            let socket = try LocalSocket(connectedTo: path)
            let rubbish = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            try? socket.send(greeting.map { UInt8($0) } + rubbish)  // The peer may close early.
          }
        }
        for face in ServiceSocket.allCases {
          try await eventually("the failed handshakes to be counted") {
            try await face.connections("handshake_failed", in: installation) > 0
          }
        }
      }
    }
  }
}
