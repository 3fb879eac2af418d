import TestSupport
import Testing
import Wire

extension EndToEnd {
  /// Tests of connections that have no session after the ZMTP handshake.
  struct IdleConnectionTests {
    private static let options = Installation.Options(
      gatewayFlags: ["--idle-connection-seconds", "2"])

    @Test func `a connection that stays silent is closed and counted`() async throws {
      try await withNeighbours(Self.options) { meeting, _ in
        try await withRawClient(meeting.installation) { silent in
          try await silent.isDisconnected()
        }
        let url = "tcp://127.0.0.1:\(meeting.installation.gateway.tcpPort)"
        try await withRawClient(meeting.installation, at: url) { silent in
          try await silent.isDisconnected()
        }
        #expect(try await ServiceSocket.clients.connections("idle", in: meeting.installation) >= 2)
      }
    }

    @Test func `served requests keep a connection alive, but refused requests do not`()
      async throws
    {
      try await withNeighbours(Self.options) { meeting, _ in
        try await withRawClient(meeting.installation) { stranger in
          try await withRawClient(meeting.installation) { asking in
            await stranger.keepAlive(every: .milliseconds(100))
            for _ in 0..<8 {
              _ = try await asking.call(V1.AudioVideoFacadeMethods.getLimits.key)
              // No event shows that a connection stays open, so the test sleeps.
              try await Task.sleep(for: .milliseconds(400))
            }
            try await stranger.isDisconnected()
            #expect(!asking.wasDisconnected)
          }
        }
      }
    }

    @Test func `a connection is closed after its session has ended`() async throws {
      try await withMeeting(Self.options) { meeting in
        try await withTalker("ada", in: meeting) { client, _ in
          let answer = try await client.call(
            V1.AudioVideoFacadeMethods.stop, V1.StopRequest())
          #expect(answer.status == nil)
          try await client.isDisconnected()
        }
      }
    }
  }
}
