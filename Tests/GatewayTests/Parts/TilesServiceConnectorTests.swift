import Bus
import MeetingModel
import ServiceHost
import TestSupport
import Trials
import Testing
import Wire

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct TilesServiceConnectorTests {
  private static let camera = V1.PublishedVideo(kind: .camera, tileID: 3, trackSSRC: 9_003)
  private static let content = V1.PublishedVideo(kind: .content, tileID: 4, trackSSRC: 9_004)

  @Test func `a joining client gets only its own tiles and keeps its publications`()
    async throws
  {
    try await withOwner(TilesServiceConnector.init) { fixture, part, server in
      var joins: [V1.JoinTilesRequest] = []
      server.on(V1.VideoTilesMethods.join) { request, call in
        joins.append(request)
        let own = V1.ReceiverTiles(
          participantID: "ada", sessionID: request.session?.sessionID ?? [],
          tiles: [V1.TileState(tileID: 1)])
        let other = V1.ReceiverTiles(participantID: "ben", sessionID: SessionID.random().bytes)
        call.reply(
          V1.JoinTilesReply(
            board: V1.TileBoardSnapshot(epoch: 7, sequence: 4, receivers: [other, own]),
            published: [Self.camera], term: 2))
      }
      let link = LocalLink()
      let session = try fixture.opening(link)
      try await part.takeIn(session).give()
      _ = link.flush()
      #expect(joins.map(\.isResume) == [false])
      let shown = V1.TileBoardSnapshot(
        epoch: 7, sequence: 4,
        receivers: [V1.ReceiverTiles(participantID: "ada", tiles: [V1.TileState(tileID: 1)])])
      #expect(link.events == [.tileBoardSnapshot(shown)])
      #expect(session.choices.published == [Self.camera])
      #expect(session.cursors[.tiles] == StreamCursor(epoch: 7, sequence: 4))

      // The connector adds an open session again, with the session's previous choices.
      session.opening = nil
      _ = try await part.takeIn(session)
      #expect(joins.map(\.isResume) == [false, true])
      #expect(joins.last?.session?.choices?.published == [Self.camera])
    }
  }

  @Test func `an answer that lacks sources and tiles is an error and does not change the client`()
    async throws
  {
    try await withOwner(TilesServiceConnector.init) { fixture, part, server in
      server.on(V1.VideoTilesMethods.join) { _, call in call.reply(V1.JoinTilesReply(term: 2)) }
      let session = try fixture.opening(LocalLink())
      let status = await refusal { () async throws(Status) in _ = try await part.takeIn(session) }
      #expect(status?.code == .internalError)
      #expect(session.choices.published.isEmpty)
    }
  }

  @Test func `many sessions are announced in parts that video-tiles accepts`() async throws {
    try await withOwner(TilesServiceConnector.init) { fixture, part, server in
      var parts: [V1.AnnounceTilesRequest] = []
      server.on(V1.VideoTilesMethods.announce) { request, call in
        parts.append(request)
        call.reply(V1.AnnounceTilesReply(term: 1))
      }
      var everybody: Set<[UInt8]> = []
      for number in 0..<230 {
        let session = try await fixture.session(LocalLink())
        everybody.insert(session.id.bytes)
        guard number < 80 else { continue }
        // The largest number of subscriptions that a client may choose.
        session.choices.subscriptions = V1.VideoSubscriptions(
          subscriptions: (0..<1_000).map {
            V1.VideoSubscription(participantID: "\($0)-" + String(repeating: "a", count: 50))
          })
      }
      let link = try #require(part.follower.owner(of: .random()))
      try await part.announce(to: link)
      let told = parts.flatMap { $0.sessions.map(\.sessionID) }
      #expect(told.count == 230 && Set(told) == everybody)
      #expect(parts.map(\.last) == parts.indices.map { $0 == parts.count - 1 })
      #expect(parts.allSatisfy { $0.sessions.count <= 100 })
      #expect(parts.allSatisfy { $0.packed().count < 2 << 20 })
      #expect(parts.count >= 5)
    }
  }

  @Test func `in a new term of video-tiles, a session that is still joining sends its join again`()
    async throws
  {
    try await withOwner(TilesServiceConnector.init) { fixture, part, server in
      server.on(V1.VideoTilesMethods.announce) { _, call in
        call.reply(V1.AnnounceTilesReply(term: 1))
      }
      var lacking: [SessionNumber] = []
      fixture.coordinator.onLack = { session, _ in lacking.append(session) }
      let session = try fixture.opening(LocalLink())
      let link = try #require(part.follower.owner(of: session.meeting))
      try await part.announce(to: link)
      #expect(lacking == [session.number])
    }
  }

  @Test func `a source is not kept if its publisher is demoted before the answer arrives`()
    async throws
  {
    try await withOwner(TilesServiceConnector.init) { fixture, part, server in
      let primary = try Meeting.sample()
      let session = try await fixture.session(
        LocalLink(), in: try Meeting.sample(primary: primary.id))
      session.cursors[.tiles] = StreamCursor(epoch: 1, sequence: 0)
      let guest = V1.GatewaySession(
        participantID: AttendeeID.random().text, sessionID: session.id.bytes, isPromoted: true)
      let begun = session.promotion.begin()
      let holds = session.promotion.succeed(try #require(begun), as: guest)
      #expect(holds)
      server.on(V1.VideoTilesMethods.publishVideo) { request, call in
        // The promotion of the session ends while the answer is in transit.
        _ = session.promotion.end()
        call.reply(V1.PublishVideoReply(video: request.video))
      }
      _ = try await part.publish(
        V1.PublishVideoRequest(video: V1.PublishedVideo(kind: .camera)), by: session)
      #expect(session.choices.published.isEmpty)
    }
  }

  @Test
  func `after an announcement, the gateway keeps only sources that the client still publishes`()
    async throws
  {
    try await withOwner(TilesServiceConnector.init) { fixture, part, server in
      let (stays, withdrawn, refused) = (
        try await fixture.session(LocalLink()), try await fixture.session(LocalLink()),
        try await fixture.session(LocalLink())
      )
      stays.choices.published = [V1.PublishedVideo(kind: .camera)]
      server.on(V1.VideoTilesMethods.announce) { request, call in
        let sources = [stays, withdrawn].map {
          V1.SessionSources(sessionID: $0.id.bytes, published: [Self.camera, Self.content])
        }
        let status = V1.Status(Status(.invalidArgument, "Two cameras."))
        call.reply(
          V1.AnnounceTilesReply(
            term: 1, sessions: sources,
            refused: [V1.RefusedSession(sessionID: refused.id.bytes, status: status)]))
      }
      let link = try #require(part.follower.owner(of: .random()))
      try await part.announce(to: link)
      #expect(stays.choices.published == [Self.camera])
      #expect(withdrawn.choices.published.isEmpty)
      #expect(fixture.context.metrics.refusedAnnouncements.value == 1)
      #expect(fixture.context.sessions.count == 3)
    }
  }

  @Test func `a request to publish contains the tile and the SSRCs of the client's former source`()
    async throws
  {
    try await withOwner(TilesServiceConnector.init) { fixture, part, server in
      var asked: [V1.PublishedVideo?] = []
      server.on(V1.VideoTilesMethods.publishVideo) { request, call in
        asked.append(request.video)
        call.reply(V1.PublishVideoReply(video: request.video))
      }
      let session = try await fixture.session(LocalLink())
      session.cursors[.tiles] = StreamCursor(epoch: 1, sequence: 0)
      var given = Self.camera
      given.layers = [V1.VideoLayer(ssrc: 7)]
      session.choices.published = [given]
      var wanted = V1.PublishedVideo(kind: .camera, hint: .motion)
      wanted.layers = [V1.VideoLayer(width: 320), V1.VideoLayer(ssrc: 9, width: 640)]
      let reply = try await part.publish(V1.PublishVideoRequest(video: wanted), by: session)
      (wanted.tileID, wanted.trackSSRC) = (given.tileID, given.trackSSRC)
      wanted.layers[0].ssrc = 7
      #expect(asked == [wanted] && reply.video == wanted)
    }
  }

  @Test func `a source is published again if a simultaneous announcement omits the source`()
    async throws
  {
    try await withOwner(TilesServiceConnector.init) { fixture, part, server in
      let told = AwaitableEntryList<String>()
      var held: [Call<V1.PublishVideoReply>] = []
      server.on(V1.VideoTilesMethods.publishVideo) { request, call in
        let isAnnounced = told.entries.contains("announced")
        told.append("published")
        if isAnnounced { call.reply(.init(video: Self.camera)) } else { held.append(call) }
      }
      server.on(V1.VideoTilesMethods.announce) { request, call in
        #expect(request.sessions.allSatisfy { $0.choices?.published.isEmpty ?? true })
        told.append("announced")
        call.reply(
          V1.AnnounceTilesReply(
            term: 1, sessions: request.sessions.map { .init(sessionID: $0.sessionID) }))
        for publish in held { publish.reply(.init(video: Self.camera)) }
      }
      let session = try await fixture.session(LocalLink())
      session.cursors[.tiles] = StreamCursor(epoch: 1, sequence: 0)
      let link = try #require(part.follower.owner(of: .random()))
      let publishing = Task {
        _ = fixture  // The test runs on the fixture's thread.
        return try await part.publish(V1.PublishVideoRequest(video: Self.camera), by: session).video
      }
      try await told.wait(for: "a call") { !$0.isEmpty }
      try await part.announce(to: link)
      #expect(try await publishing.value == Self.camera)
      #expect(told.entries.suffix(2) == ["announced", "published"])
      #expect(session.choices.published == [Self.camera])
    }
  }

  @Test func `a choice that video-tiles accepted is kept for the next term`()
    async throws
  {
    try await withOwner(TilesServiceConnector.init) { fixture, part, server in
      server.on(V1.VideoTilesMethods.publishVideo) { request, call in
        guard var video = request.video, video.hint == .none else {
          return call.fail(Status(.permissionDenied, "No."))
        }
        video.tileID = 3
        call.reply(V1.PublishVideoReply(video: video))
      }
      server.on(V1.VideoTilesMethods.unpublishVideo) { _, call in
        call.reply(V1.UnpublishVideoReply())
      }
      server.on(V1.VideoTilesMethods.setTilePaused) { _, call in
        call.reply(V1.SetTilePausedReply())
      }
      let session = try await fixture.session(LocalLink())
      session.cursors[.tiles] = StreamCursor(epoch: 1, sequence: 0)
      let sources = [V1.PublishedVideo(kind: .camera, hint: .none)]
      for video in sources + sources {
        _ = try await part.publish(V1.PublishVideoRequest(video: video), by: session)
      }
      #expect(session.choices.published.map(\.tileID) == [3])
      let status = await refusal { () async throws(Status) in
        let motion = V1.PublishedVideo(kind: .content, hint: .motion)
        _ = try await part.publish(V1.PublishVideoRequest(video: motion), by: session)
      }
      #expect(status?.code == .permissionDenied)
      #expect(session.choices.published.map(\.kind) == [.camera])

      for isPaused in [true, true, false, true] {
        let request = V1.SetTilePausedRequest(tileID: 9, isPaused: isPaused)
        _ = try await part.setPaused(request, of: session)
      }
      #expect(session.choices.pausedTileIDs == [9])
      _ = try await part.unpublish(V1.UnpublishVideoRequest(kind: .camera), by: session)
      #expect(session.choices.published.isEmpty)
    }
  }
}
