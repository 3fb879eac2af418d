import Bus
import MeetingModel
import OwnerTestSupport
import TestSupport
import Testing
import Wire

@testable import VideoTiles

@Suite(.timeLimit(.minutes(5))) struct VideoTilesRestartTests {
  @Test func `an invalid session in an announcement does not block the other sessions`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let tiles = VideoTilesFixture(directory: directory)
      let life = try tiles.announceLife(of: "gateway-a")
      defer { life.withdraw() }
      try await tiles.running {
        try await tiles.withGateway(announces: false) { gateway in
          let twoCameras = V1.TileSession(
            .edsger, publishing: [.camera(600), .camera(600)])
          var greedy = V1.TileSession(.barbara)
          greedy.choices?.subscriptions = V1.VideoSubscriptions(
            subscriptions: (0...1_000).map { _ in
              V1.VideoSubscription(participantID: AttendeeID.random().text)
            })
          var nameless = V1.TileSession(.edsger, 1)
          nameless.sessionID = []
          let reply = try await gateway.announce([
            twoCameras, V1.TileSession(.ada, publishing: [.camera(600)]), greedy, nameless,
            V1.TileSession(.grace),
          ])
          #expect(
            reply.refused.map(\.sessionID) == [twoCameras.sessionID, greedy.sessionID, []])
          #expect(reply.refused.allSatisfy { $0.status?.code == .invalidArgument })
          #expect(
            reply.sessions.map(\.sessionID)
              == [Person.ada.session().bytes, Person.grace.session().bytes])
          // The accepted sessions are in the meeting and can publish.
          #expect(try await gateway.snapshot().sources.count == 1)
          #expect(try await gateway.publish(.camera(600), by: .grace) != nil)
        }
      }
    }
  }

  private func inDirectory(
    _ body: @Sendable (VideoTilesFixture) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let tiles = VideoTilesFixture(directory: directory)
      let life = try tiles.announceLife(of: "gateway-a")
      defer { life.withdraw() }
      try await body(tiles)
    }
  }

  /// Returns a gateway's record of a session that published these sources.
  private func session(
    _ person: Person, published: [V1.PublishedVideo], paused: [UInt32] = []
  ) -> V1.TileSession {
    var session = V1.TileSession(person, publishing: published)
    session.choices?.pausedTileIDs = paused
    return session
  }

  @Test func `a snapshot after a restart waits until all tiles are restored`() async throws {
    try await inDirectory { tiles in
      let (before, published) = try await tiles.running {
        try await tiles.withGateway { gateway in
          let ada = try await gateway.join(.ada, publishing: .camera(150, 600))
          let grace = try await gateway.join(.grace, publishing: .camera(600))
          try await gateway.pause(1, of: .grace)
          return (try await gateway.snapshot(), [ada.published, grace.published])
        }
      }
      try await tiles.running {
        try await tiles.withGateway(announces: false) { gateway in
          try await tiles.withMedia { media in
            await media.watch()
            let early = try await gateway.ask(
              V1.VideoTilesMethods.snapshot,
              V1.TileSnapshotRequest(meetingID: MeetingID.planning.text))
            #expect(try await gateway.sayAlive().wantsAnnouncement)
            // The gateway announces the receiver first, when the tiles that this receiver gets do
            // not exist yet.
            try await gateway.announce(
              [session(.grace, published: published[1], paused: [1])], isLast: false)
            try await gateway.announce([session(.ada, published: published[0])])
            let after = try await early().get()
            #expect(after.sources == before.sources)
            #expect(
              after.receivers.sorted { $0.participantID < $1.participantID }
                == before.receivers.sorted { $0.participantID < $1.participantID })
            #expect(after.epoch != before.epoch)
            #expect(after.sequence == 0)
            #expect(try await !gateway.sayAlive().wantsAnnouncement)
            let view = try await media.view { $0.sequence > 0 }
            #expect(view.sequence == 1)
            #expect(view.forwarding(to: .ada, from: .grace)?.layer == 1)
            #expect(view.forwarding(to: .grace, from: .ada)?.reason == .pausedByUser)
          }
        }
      }
    }
  }

  @Test func `the reply to an announcement lists what the sessions publish`() async throws {
    try await inDirectory { tiles in
      try await tiles.running {
        try await tiles.withGateway(announces: false) { gateway in
          let camera = V1.PublishedVideo.camera(600, tile: 700_000, track: 70)
          let reply = try await gateway.announce([
            V1.TileSession(.ada, publishing: [camera]),
            V1.TileSession(.grace, publishing: [camera]),
            // Video-tiles refuses this session, because Ada is present with another session.
            V1.TileSession(.ada, 1, publishing: [camera]), V1.TileSession(.edsger),
          ])
          let people = [Person.ada, .grace, .edsger]
          #expect(reply.sessions.map(\.sessionID) == people.map { $0.session().bytes })
          #expect(reply.sessions.map { $0.published.map(\.tileID) } == [[700_000], [1], []])
          let published = reply.sessions.flatMap(\.published)
          #expect(published[0].trackSSRC == 70 && published[1].trackSSRC != 70)
          #expect(published.allSatisfy { video in video.layers.allSatisfy { $0.ssrc > 0 } })
          let board = try await gateway.snapshot()
          #expect(board.sources.map(\.trackSSRC) == published.map(\.trackSSRC).reversed())
        }
      }
    }
  }

  @Test func `requests during recovery are served when recovery ends`() async throws {
    try await inDirectory { tiles in
      try await tiles.running {
        try await tiles.withGateway(announces: false) { gateway in
          let publish = try await gateway.ask(
            V1.VideoTilesMethods.publishVideo,
            V1.PublishVideoRequest(
              meetingID: MeetingID.planning.text, sessionID: Person.ada.session().bytes,
              video: .camera(600)))
          let join = try await gateway.ask(
            V1.VideoTilesMethods.join,
            V1.JoinTilesRequest(
              session: V1.TileSession(.grace), gateway: gateway.name, gatewayRun: 1))
          try await gateway.announce([V1.TileSession(.ada)])
          #expect(try await publish().get().video?.tileID == 1)
          let joined = try await join().get()
          #expect(joined.board?.receivers.first?.tiles.count == 1)
        }
      }
    }
  }

  @Test func `a session that resumes during recovery keeps its source`() async throws {
    try await inDirectory { tiles in
      try await tiles.running {
        try await tiles.withGateway(announces: false) { gateway in
          let join = try await gateway.ask(
            V1.VideoTilesMethods.join,
            V1.JoinTilesRequest(
              session: V1.TileSession(.ada, publishing: [.camera(600, tile: 700_000, track: 70)]),
              gateway: gateway.name, isResume: true, gatewayRun: 1))
          try await gateway.announce([V1.TileSession(.grace)])
          let joined = try await join().get()
          #expect(joined.published.map(\.tileID) == [700_000])
          #expect(joined.published.map(\.trackSSRC) == [70])
          #expect(try await gateway.snapshot(of: .grace).receivers.first?.tiles.count == 1)
        }
      }
    }
  }

  @Test func `if a join is cancelled during recovery, no session remains`() async throws {
    try await inDirectory { tiles in
      try await tiles.running {
        try await tiles.withGateway(announces: false) { gateway in
          _ = try await gateway.sayAlive()
          let error = await #expect(throws: Status.self) {
            try await gateway.join(
              V1.TileSession(.ada), options: CallOptions(timeout: .milliseconds(100)))
          }
          #expect(error?.code == .deadlineExceeded)
          try await gateway.announce([])
          #expect(try await gateway.snapshot().receivers.isEmpty)
        }
      }
    }
  }

  @Test func `requests that wait for recovery are refused when video-tiles stops`() async throws {
    try await inDirectory { tiles in
      try await tiles.withGateway(announces: false) { gateway in
        let refusal = try await tiles.running {
          try await gateway.ask(
            V1.VideoTilesMethods.snapshot,
            V1.TileSnapshotRequest(meetingID: MeetingID.planning.text))
        }
        let error = await #expect(throws: Status.self) { try await refusal().get() }
        #expect(error?.code == .unavailable)
      }
    }
  }
}
