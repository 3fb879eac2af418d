import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore
@testable import GuidePrograms

extension EndToEnd {
  /// Tests of the client library's video through the gateway and video-tiles. The tests simulate
  /// media.
  struct VideoTests {
    /// Runs `body` with five publishers and the receivers Ada and Bea. Each publisher sends two
    /// layers of 200 and 1,200 kbit/s.
    private func withFivePublishers(
      _ body: (PlayedMedia, [V1.PublishedVideo], [Viewer], TestMeeting, [RawClient]) async throws
        -> Void
    ) async throws {
      try await withTalkers(["p1", "p2", "p3", "p4", "p5"]) { meeting, clients in
        try await PlayedMedia.play(in: meeting) { media in
          var published: [V1.PublishedVideo] = []
          for client in clients { published.append(try await client.publishCamera()) }
          var viewers: [Viewer] = []
          for name in ["ada", "bea"] {
            let viewer = try await Viewer(name, in: meeting)
            try await viewer.join()
            viewer.audioVideo.startRemoteVideo()
            viewers.append(viewer)
          }
          let tiles = published.map(\.tileID)
          for viewer in viewers {
            try await media.sees(
              tiles.map { _ in .layer(2, .wanted) }, of: tiles, to: viewer.attendeeID)
            for tile in tiles { try await viewer.shows(tile) }
          }
          try await body(media, published, viewers, meeting, clients)
          for viewer in viewers { try await viewer.leave() }
        }
      }
    }

    @Test func `a pinned tile keeps its top layer while other tiles shrink, pause and return`()
      async throws
    {
      try await withFivePublishers { media, published, viewers, _, clients in
        let (ada, bea) = (viewers[0], viewers[1])
        let tiles = published.map(\.tileID)
        let sources = try await clients[0].hearsSources(5)
        let ids = tiles.compactMap { tile in
          sources.first { $0.tileID == tile }?.attendee?.attendeeID
        }
        var wanted = Dictionary(uniqueKeysWithValues: ids.map { ($0, VideoPriority.low) })
        wanted[ids[2]] = .highest
        await ada.subscribe(to: wanted)
        try await media.reportDownlink(10_000, of: ada.attendeeID)
        try await media.reportDownlink(10_000, of: bea.attendeeID)
        try await media.reportDownlink(2_000, of: ada.attendeeID)
        try await media.sees(
          [
            .layer(1, .lowered), .layer(1, .lowered), .layer(2, .wanted), .layer(1, .lowered),
            .layer(1, .lowered),
          ], of: tiles, to: ada.attendeeID)
        try await media.reportDownlink(1_700, of: ada.attendeeID)
        let poor: [PlayedMedia.Decision] = [
          .layer(1, .lowered), .layer(1, .lowered), .layer(2, .wanted),
          .nothing(.pausedForBandwidth), .nothing(.pausedForBandwidth),
        ]
        try await media.sees(poor, of: tiles, to: ada.attendeeID)
        for tile in tiles[3...] {
          try await ada.sees("pause \(tile) \(VideoPauseState.pausedForPoorConnection)")
        }
        #expect(
          media.decisions(of: tiles, to: bea.attendeeID) == tiles.map { _ in .layer(2, .wanted) })
        try await media.reportDownlink(10_000, of: ada.attendeeID)
        try await media.sees(
          tiles.map { _ in .layer(2, .wanted) }, of: tiles, to: ada.attendeeID,
          within: .seconds(25))
        for tile in tiles[3...] { try await ada.sees("resume \(tile)") }
        for viewer in viewers {
          #expect(!viewer.seen.entries.contains { $0.hasPrefix("remove") })
          #expect(!viewer.seen.entries.contains { $0.hasPrefix("pause \(tiles[2])") })
        }
        #expect(!bea.seen.entries.contains { $0.hasPrefix("pause") })
      }
    }

    @Test func `pages are turned by pausing tiles, and a poor link keeps a resumed tile paused`()
      async throws
    {
      try await withFivePublishers { media, published, viewers, _, _ in
        let ada = viewers[0]
        let tiles = published.map(\.tileID)
        func turn(to page: Range<Int>, _ expected: [PlayedMedia.Decision]) async throws {
          for (index, tile) in tiles.enumerated() where page.contains(index) {
            ada.audioVideo.resumeRemoteVideoTile(tileId: Int(tile))
          }
          for (index, tile) in tiles.enumerated() where !page.contains(index) {
            ada.audioVideo.pauseRemoteVideoTile(tileId: Int(tile))
          }
          try await media.sees(expected, of: tiles, to: ada.attendeeID)
        }
        let (on, off) = (
          PlayedMedia.Decision.layer(2, .wanted), PlayedMedia.Decision.nothing(.pausedByUser)
        )
        try await turn(to: 0..<2, [on, on, off, off, off])
        try await turn(to: 2..<4, [off, off, on, on, off])
        try await ada.sees("pause \(tiles[0]) \(VideoPauseState.pausedByUserRequest)")
        try await turn(to: 0..<2, [on, on, off, off, off])
        try await ada.sees("resume \(tiles[0])")
        // On this link, even a tile that the user resumes remains paused.
        try await media.reportDownlink(100, of: ada.attendeeID)
        let poor = PlayedMedia.Decision.nothing(.pausedForBandwidth)
        try await media.sees([poor, poor, off, off, off], of: tiles, to: ada.attendeeID)
        let mark = ada.mark
        ada.audioVideo.resumeRemoteVideoTile(tileId: Int(tiles[2]))
        try await media.sees([poor, poor, poor, off, off], of: tiles, to: ada.attendeeID)
        try await ada.sees(
          "pause \(tiles[2]) \(VideoPauseState.pausedForPoorConnection)", since: mark)
        #expect(
          media.decisions(of: tiles, to: viewers[1].attendeeID) == [on, on, on, on, on])
      }
    }

    @Test func `an active speaker moves to the first page`() async throws {
      try await withFivePublishers { media, published, viewers, _, clients in
        let ada = viewers[0]
        let tiles = published.map(\.tileID)
        let last = try #require(
          try await clients[0].hearsSources(5).first { $0.tileID == tiles[4] }?.attendee?.attendeeID
        )
        // Remove the tiles and add them again, so that the guide's program receives the callbacks
        // for new tiles.
        ada.audioVideo.stopRemoteVideo()
        for tile in tiles { try await ada.sees("remove \(tile)") }
        let audioVideo = MainQueueBox(value: ada.audioVideo)
        let program = await MainActor.run {
          MainQueueBox(value: VideoPagination(audioVideoFacade: audioVideo.value))
        }
        ada.audioVideo.startRemoteVideo()
        for tile in tiles { try await ada.showsAgain(tile) }
        let (on, off) = (
          PlayedMedia.Decision.layer(2, .wanted), PlayedMedia.Decision.nothing(.pausedByUser)
        )
        try await media.sees([on, on, on, on, off], of: tiles, to: ada.attendeeID)
        try await media.reportLevel(.high, of: last)
        try await media.sees([on, on, on, off, on], of: tiles, to: ada.attendeeID)
        let first = await MainActor.run { program.value.attendeeIdsOnCurrentPage.first }
        #expect(first == last)
      }
    }

    @Test func `media forwards only the layers whose packets arrive`() async throws {
      try await withFivePublishers { media, published, viewers, _, _ in
        let tile = published[0].tileID
        for (flowing, expected) in [
          ([1], PlayedMedia.Decision.layer(1, .wanted)), ([], .nothing(.notFlowing)),
          ([1, 2], .layer(2, .wanted)),
        ] as [([UInt32], PlayedMedia.Decision)] {
          for layer in [1, 2] as [UInt32] {
            try await media.reportTrack(tile, layer: layer, isFlowing: flowing.contains(layer))
          }
          for viewer in viewers {
            try await media.sees([expected], of: [tile], to: viewer.attendeeID)
          }
        }
      }
    }

    @Test func `the clients' choices persist after video-tiles is killed`() async throws {
      try await withFivePublishers { media, published, viewers, meeting, clients in
        let ada = viewers[0]
        let tiles = published.map(\.tileID)
        let sources = try await clients[0].hearsSources(5)
        let first = try #require(sources.first { $0.tileID == tiles[0] }?.attendee?.attendeeID)
        let second = try #require(sources.first { $0.tileID == tiles[1] }?.attendee?.attendeeID)
        await ada.subscribe(to: [first: .high, second: .low])
        ada.audioVideo.pauseRemoteVideoTile(tileId: Int(tiles[1]))
        let chosen: [PlayedMedia.Decision] = [
          .layer(2, .wanted), .nothing(.pausedByUser), .nothing(.notSubscribed),
          .nothing(.notSubscribed), .nothing(.notSubscribed),
        ]
        try await media.sees(chosen, of: tiles, to: ada.attendeeID)
        for tile in tiles[2...] { try await ada.sees("remove \(tile)") }
        let marks = viewers.map(\.mark)
        let updates = media.updates.entries.count
        try await meeting.installation.videoTiles.kill()
        try await meeting.installation.videoTiles.start()
        try await media.updates.wait(for: "the decisions of the new term") {
          $0.dropFirst(updates).contains { $0.isComplete }
        }
        try await media.sees(chosen, of: tiles, to: ada.attendeeID)
        // The client reports this change after all changes that the restart could have caused.
        let camera = GivenSource()
        ada.audioVideo.startLocalVideo(source: camera)
        try await viewers[1].sees("available \(ada.attendeeID)")
        try await eventually("the local tile") {
          camera.give()
          return ada.seen.entries.dropFirst(marks[0]).contains { $0.hasPrefix("add ") }
        }
        for (viewer, mark) in zip(viewers, marks) {
          let told = viewer.seen.entries.dropFirst(mark)
          #expect(
            !told.contains { $0.hasPrefix("unavailable") || $0.hasPrefix("remove") }, "\(told)")
        }
        ada.audioVideo.stopLocalVideo()
        try await viewers[1].sees("unavailable \(ada.attendeeID)")
      }
    }

    @Test func `content is shared beside the camera, and the sharer gets no tile of the content`()
      async throws
    {
      try await withMeeting { meeting in
        let ada = try await Viewer("ada", in: meeting)
        let bea = try await Viewer("bea", in: meeting)
        for viewer in [ada, bea] {
          try await viewer.join()
          viewer.audioVideo.startRemoteVideo()
        }
        ada.audioVideo.startLocalVideo(source: GivenSource())
        try await bea.sees("available \(ada.attendeeID)")
        let screen = ContentShareSource()
        screen.videoSource = GivenSource()
        ada.audioVideo.startContentShare(source: screen)
        try await ada.sees("share started")
        try await bea.sees("available \(ada.attendeeID)#content")
        ada.audioVideo.stopContentShare()
        try await ada.sees("share stopped \(ContentShareStatusCode.ok)")
        try await bea.sees("unavailable \(ada.attendeeID)#content")
        #expect(!ada.seen.entries.contains { $0.hasPrefix("available") })
        #expect(!bea.seen.entries.contains("unavailable \(ada.attendeeID)"))
        for viewer in [ada, bea] { try await viewer.leave() }
      }
    }
  }
}
