import MeetingModel
import Testing
import Wire

@testable import Gateway

/// Tests of the requests to media and video-tiles that a SUBSCRIBE causes.
@Suite(.timeLimit(.minutes(5))) struct BrowserVideoNegotiatorTests {
  private typealias Encoding = BrowserSubscription.Encoding

  /// Returns the SUBSCRIBE of a client that receives these streams.
  private static func receiving(
    _ ids: UInt32..., wishes: [Signaling.SdkVideoSubscriptionConfiguration] = []
  ) -> BrowserSubscription {
    .init(offer: "offer", streamIDs: ids, wishes: wishes.map(VideoSectionRequest.init(_:)))
  }

  private static let camera = BrowserSubscription(
    offer: "offer", sendsVideo: true, encodings: [.init(maxBitrateKbps: 1_500, framesPerSecond: 15)]
  )

  private static let simulcast = BrowserSubscription(
    offer: "offer", sendsVideo: true,
    encodings: [300, 0, 1_200].map { .init(maxBitrateKbps: $0, framesPerSecond: 15) })

  // MARK: Receiving

  @Test func `each stream gets a media section and the size of its encoding`() async throws {
    try await withPictures { _, stage in
      stage.show(3, 5)
      let answer = try await stage.subscribe(Self.receiving(15, 21))
      #expect(stage.offers.map(\.tracks) == [[.init(trackSSRC: 1_003), .init(trackSSRC: 1_005)]])
      #expect(
        answer.tracks == [
          .init(streamID: 15, ssrc: 1_003, trackLabel: "v_2"),
          .init(streamID: 21, ssrc: 1_005, trackLabel: "v_3"),
        ])
      let wanted: [V1.VideoSubscription] = [
        .init(participantID: "a3", priority: .high, targetWidth: 1_280, targetHeight: 720),
        .init(participantID: "a5", priority: .high, targetWidth: 320, targetHeight: 180),
      ]
      #expect(stage.changes == [.init(addedOrUpdated: wanted)])
      #expect(stage.receiving == [true])
      #expect(answer.allocations == [.init(streamID: 1, groupID: 1)])
    }
  }

  @Test func `a SUBSCRIBE replaces everything that the previous SUBSCRIBE requested`() async throws
  {
    try await withPictures { _, stage in
      stage.show(3, 5)
      _ = try await stage.subscribe(Self.receiving(15, 21))
      let second = try await stage.subscribe(Self.receiving(21))
      // The track that the browser still receives keeps its section.
      #expect(second.tracks.map(\.trackLabel) == ["v_3"])
      #expect(stage.changes.last == .init(removed: ["a3"]))
      _ = try await stage.subscribe(Self.receiving(21))
      #expect(stage.changes.count == 2 && stage.receiving == [true])
      let last = try await stage.subscribe(Self.receiving())
      #expect(last.tracks.isEmpty && stage.changes.last == .init(removed: ["a5"]))
      #expect(stage.receiving == [true, false])
    }
  }

  @Test func `the configuration of a video sets its section, priority, size and preference`()
    async throws
  {
    try await withPictures { _, stage in
      stage.show(3, 5)
      let answer = try await stage.subscribe(
        Self.receiving(
          15, 23,
          wishes: [
            .init(
              mid: "9", priority: .max - 1, targetBitrateKbps: 10_000, groupID: 3,
              qualityAdaptationPreference: .maintainResolution),
            .init(
              mid: "4", priority: .max - 3, targetBitrateKbps: 300, groupID: 5,
              qualityAdaptationPreference: .balanced),
          ]))
      #expect(answer.tracks.map(\.trackLabel) == ["v_9", "v_4"])
      #expect(
        stage.changes == [
          .init(addedOrUpdated: [
            .init(
              participantID: "a3", priority: .highest, targetWidth: 1_920, targetHeight: 1_080,
              preference: .resolution),
            .init(participantID: "a5", priority: .medium, targetWidth: 320, targetHeight: 180),
          ])
        ])
    }
  }

  @Test func `a source gets the media section that its configuration names`() async throws {
    try await withPictures { _, stage in
      stage.show(3, 5)
      _ = try await stage.subscribe(Self.receiving(15))
      let answer = try await stage.subscribe(
        Self.receiving(15, 23, wishes: [.init(mid: "2", groupID: 5)]))
      #expect(stage.offers.last?.tracks.map(\.mid) == ["", "2"])
      #expect(answer.tracks.map(\.trackLabel) == ["v_3", "v_2"])
    }
  }

  @Test func `a camera that video-tiles has ended is published again`() async throws {
    try await withPictures { _, stage in
      stage.offered = .init(mid: "1", codec: .vp8)
      _ = try await stage.subscribe(Self.camera)
      stage.session.choices.published = []
      _ = try await stage.subscribe(Self.camera)
      #expect(stage.published.count == 2)
    }
  }

  @Test func `unknown streams and repeated sources get no section`() async throws {
    try await withPictures { _, stage in
      stage.show(3)
      let answer = try await stage.subscribe(
        Self.receiving(
          99, 15, 16, 13, 15, .max, 1,
          wishes: [
            .init(mid: "9", groupID: 44), .init(mid: "2", groupID: 3), .init(mid: "7", groupID: 3),
          ]))
      // Tile 3 has three encodings, and stream 16 is not one of these encodings.
      #expect(answer.tracks == [.init(streamID: 15, ssrc: 1_003, trackLabel: "v_2")])
      let asked = try #require(stage.offers.first?.tracks)
      #expect(asked.filter { $0.trackSSRC != 0 } == [.init(trackSSRC: 1_003, mid: "2")])
      // The tracks keep their sections, because the gateway assigns sections to streams in order.
      #expect(asked.map(\.trackSSRC) == [0, 1_003, 0, 0, 0, 0, 0])
    }
  }

  @Test func `each section shows one source, and media gets at most 100 sections`() async throws {
    try await withPictures { _, stage in
      for tile in 1...200 { stage.show(UInt32(tile)) }
      let answer = try await stage.subscribe(
        .init(
          offer: "offer", streamIDs: (1...200).map { $0 * 4 + 1 },
          wishes: (1...200).map { VideoSectionRequest(.init(mid: "2", groupID: $0)) }))
      let mids = try #require(stage.offers.first).tracks.map(\.mid)
      #expect(mids.count == 100 && mids.filter { $0 == "2" }.count == 1)
      #expect(Set(answer.tracks.map(\.trackLabel)).count == 100)
    }
  }

  // MARK: Changes without an offer

  @Test func `if only the source of a section changes, media gets no new offer`() async throws {
    try await withPictures { _, stage in
      stage.show(3, 5)
      _ = try await stage.subscribe(Self.receiving(15, 23))
      // The client selects another encoding in the same section.
      await stage.change([.init(mid: "2", streamID: 13)])
      #expect(
        stage.changes.last
          == .init(addedOrUpdated: [
            .init(participantID: "a3", priority: .high, targetWidth: 320, targetHeight: 180)
          ]))
      await stage.change([
        .init(mid: "3", priority: .max - 2, targetBitrateKbps: 600, groupID: 5)
      ])
      #expect(
        stage.changes.last
          == .init(addedOrUpdated: [
            .init(participantID: "a5", priority: .high, targetWidth: 640, targetHeight: 360)
          ]))
      #expect(stage.offers.count == 1)
    }
  }

  @Test func `a removed section stays paused until the client requests it again`() async throws {
    try await withPictures { _, stage in
      stage.show(3, 5)
      _ = try await stage.subscribe(Self.receiving(15, 23))
      await stage.change([], removing: ["2", "2", "9"])
      #expect(stage.changes.last == .init(removed: ["a3"]))
      await stage.change([.init(mid: "2", groupID: 3)])
      #expect(stage.changes.last?.addedOrUpdated.map(\.participantID) == ["a3"])
      await stage.change([], removing: ["2", "3"])
      #expect(stage.changes.last?.removed == ["a3", "a5"] && stage.receiving == [true, false])
    }
  }

  @Test func `changes to streams that the browser does not receive have no effect`() async throws {
    try await withPictures { _, stage in
      stage.show(3, 5)
      _ = try await stage.subscribe(Self.receiving(15))
      await stage.change(
        [
          .init(mid: "2", groupID: 5), .init(mid: "8", groupID: 3), .init(mid: "", streamID: 21),
          .init(mid: "7"), .init(mid: "2", streamID: .max),
        ], removing: ["", "44"])
      #expect(stage.changes.count == 1)
      await stage.setPaused(true, 21, 0, .max)
      #expect(stage.paused.isEmpty)
    }
  }

  @Test func `the user can pause and resume a tile through any stream of the tile`() async throws {
    try await withPictures { _, stage in
      stage.show(3, 5)
      _ = try await stage.subscribe(Self.receiving(15, 23))
      await stage.setPaused(true, 13)
      await stage.setPaused(true, 15)
      await stage.setPaused(false, 15)
      #expect(
        stage.paused == [
          .init(tileID: 3, isPaused: true), .init(tileID: 3, isPaused: false),
        ])
      // A stream's pause ends when the browser stops receiving the stream.
      await stage.setPaused(true, 23)
      _ = try await stage.subscribe(Self.receiving(15))
      _ = try await stage.subscribe(Self.receiving(15, 23))
      #expect(
        stage.paused.suffix(2) == [
          .init(tileID: 5, isPaused: true), .init(tileID: 5, isPaused: false),
        ])
    }
  }

  @Test func `pauses and resumptions are reported only for tiles that the browser receives`()
    async throws
  {
    try await withPictures { _, stage in
      stage.show(3, 5)
      _ = try await stage.subscribe(Self.receiving(15, 23))
      func told(_ tile: UInt32, _ state: V1.TilePauseState, removed: Bool = false) -> [[UInt32]] {
        let tiles = [V1.TileState(tileID: tile, pauseState: state, isRemoved: removed)]
        let (paused, resumed) = stage.pictures.take(tiles)
        return [paused, resumed]
      }
      #expect(told(3, .unpaused) == [[], []])
      #expect(told(3, .pausedForPoorConnection) == [[3], []])
      #expect(told(3, .pausedForPoorConnection) == [[], []])
      #expect(told(9, .pausedForPoorConnection) == [[], []])
      #expect(told(3, .pausedByUserRequest) == [[], []])
      #expect(told(3, .unpaused) == [[], [3]])
      #expect(told(5, .pausedForPoorConnection) == [[5], []])
      _ = try await stage.subscribe(Self.receiving(15))
      #expect(told(5, .unpaused, removed: true) == [[], []])
    }
  }

  // MARK: Sending

  @Test func `a camera is published once, with the SSRC that media received`() async throws {
    try await withPictures { _, stage in
      stage.offered = .init(mid: "1", codec: .vp8)
      let answer = try await stage.subscribe(Self.camera)
      let told = try #require(stage.offers.first).layerSSRCs
      #expect(told.count == 3 && Set(told).count == 3 && !told.contains(0))
      let layer = V1.VideoLayer(
        ssrc: told[0], width: 1_280, height: 720, framesPerSecond: 15, bitsPerSecond: 1_500_000,
        codec: .vp8)
      #expect(stage.published == [.init(kind: .camera, layers: [layer])])
      #expect(answer.allocations == [.init(streamID: 309, groupID: 77)])
      #expect(answer.isPublished && answer.refusal == nil)

      // Another attendee's new source does not affect the browser's camera.
      stage.show(3)
      let second = try await stage.subscribe(
        .init(
          offer: "offer", sendsVideo: true, encodings: Self.camera.encodings, streamIDs: [13]))
      #expect(stage.published.count == 1 && stage.offers.count == 2)
      #expect(stage.offers.last?.layerSSRCs == told)
      #expect(second.allocations == answer.allocations && second.tracks.count == 1)
    }
  }

  @Test func `simulcast has one layer for each rid, with rising bitrates and sizes`() async throws {
    try await withPictures { _, stage in
      stage.offered = .init(mid: "1", codec: .h264, rids: ["low", "mid", "hi"])
      let answer = try await stage.subscribe(Self.simulcast)
      let layers = try #require(stage.published.first).layers
      #expect(layers.map(\.bitsPerSecond) == [300_000, 600_000, 1_200_000])
      #expect(layers.map(\.width) == [320, 640, 1_280])
      #expect(layers.allSatisfy { $0.codec == .h264 })
      #expect(layers.map(\.ssrc) == stage.offers.first?.layerSSRCs)
      #expect(answer.allocations.map(\.streamID) == [309, 310, 311])
      _ = try await stage.subscribe(
        .init(
          offer: "offer", sendsVideo: true,
          encodings: [0, 1_200, 0].map { .init(maxBitrateKbps: $0, framesPerSecond: 500) }))
      let changed = try #require(stage.published.last).layers
      #expect(changed.map(\.bitsPerSecond) == [300_000, 1_200_000, 1_300_000])
      #expect(changed.allSatisfy { $0.framesPerSecond == 120 })
      #expect(changed.map(\.ssrc) == layers.map(\.ssrc))
    }
  }

  @Test func `media gets a new offer when video-tiles assigns another SSRC`() async throws {
    try await withPictures { _, stage in
      stage.offered = .init(mid: "1", codec: .vp8)
      stage.givenSSRC = 4_242
      _ = try await stage.subscribe(Self.camera)
      #expect(stage.offers.count == 2 && stage.offers.last?.layerSSRCs.first == 4_242)
      stage.givenSSRC = nil
      _ = try await stage.subscribe(Self.camera)
      #expect(stage.offers.count == 3 && stage.offers.last?.layerSSRCs.first == 4_242)
      #expect(stage.published.count == 1)
    }
  }

  @Test func `when a camera ends, the camera is unpublished once`() async throws {
    try await withPictures { _, stage in
      stage.offered = .init(mid: "1", codec: .vp8)
      _ = try await stage.subscribe(Self.camera)
      let first = try #require(stage.offers.last).layerSSRCs
      stage.offered = nil
      let answer = try await stage.subscribe(Self.receiving())
      #expect(stage.unpublished == [.camera] && !answer.isPublished)
      _ = try await stage.subscribe(Self.receiving())
      #expect(stage.unpublished == [.camera])
      stage.offered = .init(mid: "1", codec: .vp8)
      _ = try await stage.subscribe(Self.camera)
      #expect(stage.published.count == 2 && stage.published.last?.tileID == 0)
      #expect(try #require(stage.offers.last).layerSSRCs != first)
    }
  }

  @Test func `a browser that only receives publishes nothing`() async throws {
    try await withPictures { _, stage in
      stage.offered = .init(mid: "1", codec: .vp8)
      _ = try await stage.subscribe(Self.receiving())
      #expect(stage.published.isEmpty && stage.unpublished.isEmpty)
    }
  }

  @Test func `a refused camera does not change the rest of the answer`() async throws {
    try await withPictures { _, stage in
      stage.offered = .init(mid: "1", codec: .vp8)
      stage.show(3)
      stage.refusal = Status(
        .resourceExhausted, "All cameras are in use.", session: .videoAtCapacityViewOnly)
      let answer = try await stage.subscribe(
        .init(offer: "offer", sendsVideo: true, encodings: [], streamIDs: [13]))
      #expect(answer.sdp == "answer" && answer.refusal == stage.refusal)
      #expect(answer.tracks.count == 1 && answer.allocations == [.init(streamID: 1, groupID: 1)])
    }
  }

  @Test func `a content share publishes only its highest layer`() async throws {
    try await withPictures(asContent: true) { _, stage in
      stage.offered = .init(mid: "1", codec: .vp8, rids: ["low", "hi"])
      let subscription = BrowserSubscription(
        offer: "offer", sendsVideo: true,
        encodings: [300, 1_200].map { .init(maxBitrateKbps: $0, framesPerSecond: 5) })
      let answer = try await stage.subscribe(subscription)
      let told = try #require(stage.offers.first).layerSSRCs
      let share = try #require(stage.published.first)
      #expect(share.kind == .content && share.layers.map(\.ssrc) == [told[1]])
      #expect(answer.allocations.map(\.streamID) == [309, 309])
      _ = try await stage.subscribe(subscription)
      #expect(stage.published.count == 1 && stage.offers.map(\.layerSSRCs) == [told, told])
    }
  }

  @Test func `the C++ client numbers its audio streams before its camera streams`() async throws {
    try await withPictures { _, stage in
      stage.pictures.isNative = true
      stage.offered = .init(mid: "1", codec: .vp8)
      let answer = try await stage.subscribe(Self.camera)
      #expect(
        answer.allocations == [
          .init(streamID: 1, groupID: 1), .init(streamID: 309, groupID: 77),
        ])
    }
  }
}
