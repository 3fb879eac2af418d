import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests of video tiles through the gateway and video-tiles, without media.
  struct TileTests {
    @Test func `the start and the end of a camera are announced to all clients`() async throws {
      try await withTalkers(["ada", "grace"]) { _, clients in
        let published = try await clients[0].publishCamera()
        #expect(published.tileID > 0 && published.layers.allSatisfy { $0.ssrc > 0 })
        for client in clients {
          let sources = try await client.hearsSources(1)
          #expect(sources[0].tileID == published.tileID)
          #expect(sources[0].attendee?.externalUserID == "ada")
        }
        let answer = try await clients[0].call(
          V1.AudioVideoFacadeMethods.unpublishVideo, V1.UnpublishVideoRequest(kind: .camera))
        #expect(answer.status == nil)
        for client in clients { _ = try await client.hearsSources(0) }
      }
    }

    @Test func `a late joiner and a client that resumes get all current video sources`()
      async throws
    {
      try await withTalkers(["ada"]) { meeting, clients in
        let published = try await clients[0].publishCamera()
        let late = try await meeting.installation.createAttendee("late", in: meeting.record)
        var session: [UInt8] = []
        try await withRawClient(meeting.installation) { client in
          session = try await client.start(late).sessionID
          #expect(try await client.hearsSources(1).map(\.tileID) == [published.tileID])
        }
        try await withRawClient(meeting.installation) { client in
          try await client.start(late, resuming: (session, []))
          #expect(try await client.hearsSources(1).map(\.tileID) == [published.tileID])
        }
      }
    }

    @Test func `a camera beyond the limit is refused, and the client can still watch video`()
      async throws
    {
      let options = Installation.Options(videoTilesFlags: ["--max-cameras", "1"])
      try await withTalkers(["ada", "grace"], options) { _, clients in
        _ = try await clients[0].publishCamera()
        let answer = try await clients[1].call(
          V1.AudioVideoFacadeMethods.publishVideo, RawClient.cameraRequest)
        #expect(answer.status?.code == .resourceExhausted)
        #expect(answer.status?.sessionStatus == .videoAtCapacityViewOnly)
        _ = try await clients[1].hearsSources(1)
      }
    }

    @Test func `an operator sees which video an attendee receives, and why`() async throws {
      try await withTalkers(["ada", "grace"]) { meeting, clients in
        let published = try await clients[0].publishCamera()
        let place = LocalHTTP.Place.port(meeting.installation.gateway.restPort)
        let path = "/carillon/v1/meetings/\(meeting.record.meetingID)"
        let roster = try await meeting.installation.roster(of: meeting.record)
        let grace = try #require(
          roster.entries.compactMap(\.attendee).first { $0.externalUserID == "grace" })
        let answer = try await LocalHTTP.ask(
          "GET", "\(path)/attendees/\(grace.attendeeID)/received-video", at: place)
        #expect(answer.status == 200)
        #expect(answer.body.contains("\"TileId\":\(published.tileID)"), "\(answer.body)")
        // The client has not requested remote video.
        #expect(answer.body.contains("\"Reason\":\"ReceivingOff\""))
      }
    }

    @Test func `a third content share is refused`() async throws {
      try await withTalkers(["ada", "grace", "lin"]) { meeting, _ in
        try await withShare("one", in: meeting) { _ in
          try await withShare("two", in: meeting) { _ in
            let three = try await meeting.installation.createAttendee("three", in: meeting.record)
            try await withRawClient(meeting.installation) { client in
              await #expect(throws: RawClient.Failure.self) {
                try await client.start(three, modality: "#content")
              }
              let status = try await client.ending()
              #expect(status?.code == .resourceExhausted)
            }
          }
        }
      }
    }

    @Test func `a user's pause affects only the user's own tile`() async throws {
      try await withTalkers(["ada", "grace", "lin"]) { _, clients in
        let tile = try await clients[0].publishCamera().tileID
        for client in clients[1...] {
          let answer = try await client.call(
            V1.AudioVideoFacadeMethods.setRemoteVideo, V1.SetRemoteVideoRequest(isReceiving: true))
          #expect(answer.status == nil)
        }
        let answer = try await clients[1].call(
          V1.AudioVideoFacadeMethods.setTilePaused,
          V1.SetTilePausedRequest(tileID: tile, isPaused: true))
        #expect(answer.status == nil)
        let reply = try V1.SetTilePausedReply(packed: answer.body)
        #expect(reply.tile?.pauseState == .pausedByUserRequest)
        let own = try await clients[0].call(
          V1.AudioVideoFacadeMethods.setTilePaused,
          V1.SetTilePausedRequest(tileID: tile, isPaused: true))
        #expect(own.status?.code == .invalidArgument)
        #expect(!clients[2].tiles.contains { $0.pauseState == .pausedByUserRequest })
      }
    }

    @Test func `all video sources are kept when video-tiles is killed, and no removal is reported`()
      async throws
    {
      try await withTalkers(["ada", "grace"]) { meeting, clients in
        let tile = try await clients[0].publishCamera().tileID
        _ = try await clients[1].hearsSources(1)
        try await meeting.installation.videoTiles.kill()
        try await meeting.installation.videoTiles.start()
        let boards = clients[1].boards.count
        try await clients[1].answers.wait(for: "the board of the new term", within: .seconds(5)) {
          $0.flatMap(\.boards).count > boards
        }
        #expect(clients[1].boards.last?.sources.map(\.tileID) == [tile])
        #expect(clients[1].ended.isEmpty)
        // The service also announces video that a client publishes after the restart.
        _ = try await clients[1].publishCamera()
        _ = try await clients[0].hearsSources(2)
      }
    }

    @Test func `an unknown tile, unordered layers and too many subscriptions are refused`()
      async throws
    {
      try await withTalkers(["ada"]) { _, clients in
        let pause = try await clients[0].call(
          V1.AudioVideoFacadeMethods.setTilePaused,
          V1.SetTilePausedRequest(tileID: 99, isPaused: true))
        #expect(pause.status?.code == .notFound)
        var upsideDown = RawClient.cameraRequest
        upsideDown.video?.layers.reverse()
        let publish = try await clients[0].call(
          V1.AudioVideoFacadeMethods.publishVideo, upsideDown)
        #expect(publish.status?.code == .invalidArgument)
        let many = V1.UpdateVideoSubscriptionsRequest(
          addedOrUpdated: (0..<1_001).map { V1.VideoSubscription(participantID: "p-\($0)") })
        let subscribe = try await clients[0].call(
          V1.AudioVideoFacadeMethods.updateVideoSubscriptions, many)
        #expect(subscribe.status?.code == .invalidArgument)
      }
    }
  }
}

extension RawClient {
  /// A request that publishes two layers of a camera, lowest first.
  static let cameraRequest = V1.PublishVideoRequest(
    video: V1.PublishedVideo(
      kind: .camera,
      layers: [
        V1.VideoLayer(
          width: 320, height: 180, framesPerSecond: 15, bitsPerSecond: 200_000, codec: .vp8),
        V1.VideoLayer(
          width: 1_280, height: 720, framesPerSecond: 30, bitsPerSecond: 1_200_000, codec: .vp8),
      ]))

  func publishCamera() async throws -> V1.PublishedVideo {
    let answer = try await call(V1.AudioVideoFacadeMethods.publishVideo, Self.cameraRequest)
    guard answer.status == nil,
      let video = try V1.PublishVideoReply(packed: answer.body).video
    else { throw Failure.refused(answer.status) }
    return video
  }

  /// Waits until the last snapshot and the later changes contain `count` sources.
  nonisolated func hearsSources(_ count: Int) async throws -> [V1.VideoSource] {
    let answers = try await answers.wait(for: "\(count) video sources") {
      $0.sources.count == count && !$0.flatMap(\.boards).isEmpty
    }
    return answers.sources
  }

  nonisolated var boards: [V1.TileBoardSnapshot] { answers.entries.flatMap(\.boards) }

  /// The sources that the gateway reported as unavailable.
  nonisolated var ended: [V1.VideoSource] {
    answers.entries.flatMap(\.events).flatMap { event -> [V1.VideoSource] in
      if case .videoSourcesChanged(let change) = event.event { change.unavailable } else { [] }
    }
  }

  /// The received states of the client's own tiles.
  nonisolated var tiles: [V1.TileState] {
    answers.entries.flatMap(\.events).flatMap { event -> [V1.TileState] in
      switch event.event {
      case .tilesChanged(let change): change.tiles
      case .tileBoardSnapshot(let board): board.receivers.flatMap(\.tiles)
      default: []
      }
    }
  }
}

extension RawClient.Answer {
  var boards: [V1.TileBoardSnapshot] {
    events.compactMap { if case .tileBoardSnapshot(let board) = $0.event { board } else { nil } }
  }
}

extension [RawClient.Answer] {
  /// The sources in the last snapshot, with the later changes applied.
  fileprivate var sources: [V1.VideoSource] {
    flatMap(\.events).reduce(into: []) { sources, event in
      switch event.event {
      case .tileBoardSnapshot(let board):
        sources = board.sources
      case .videoSourcesChanged(let change):
        let changed = Set((change.available + change.unavailable).map(\.tileID))
        sources.removeAll { changed.contains($0.tileID) }
        sources += change.available
      default:
        break
      }
    }
  }
}

/// Runs `body` with an attendee that shares content.
private func withShare(
  _ name: String, in meeting: TestMeeting, _ body: (RawClient) async throws -> Void
) async throws {
  let attendee = try await meeting.installation.createAttendee(name, in: meeting.record)
  try await withRawClient(meeting.installation) { client in
    try await client.start(attendee, modality: "#content")
    try await body(client)
  }
}
