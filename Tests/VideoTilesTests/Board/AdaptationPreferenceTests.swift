import MeetingModel
import OwnerTestSupport
import Testing

@testable import VideoTiles

/// Tests of what a receiver gives up first if its link is too slow.
@Suite struct AdaptationPreferenceTests {
  private struct Step: Hashable {
    let layer: Int
    var temporalLayers = 0
    let kilobits: Int
  }

  /// A source whose layers have these frame rates, numbers of temporal layers and bitrates.
  private static func rates(
    _ layers: [(frames: Int, temporal: Int, kilobits: Int)]
  ) throws -> SourceLayerRates {
    let declared = try layers.enumerated().map { index, layer in
      try SimulcastLayer(
        ssrc: nil, size: FrameSize(width: 320 << index, height: 180 << index),
        framesPerSecond: layer.frames, bitrate: .kilobits(layer.kilobits), codec: .vp9,
        temporalLayers: layer.temporal)
    }
    return SourceLayerRates(declared, declared.map { LayerMeasurement($0) })
  }

  private static func steps(
    _ rates: SourceLayerRates, _ preference: VideoAdaptationPreference,
    target: FrameSize = FrameSize(width: 1_280, height: 720)
  ) throws -> [Step] {
    let demand = try #require(
      rates.demand(priority: .high, target: target, preference: preference))
    return (1...demand.count).map {
      Step(
        layer: demand.layer(at: $0), temporalLayers: demand.temporalLayers(at: $0),
        kilobits: demand.bits(at: $0) / 1_000)
    }
  }

  @Test func `a balanced receiver gets whole layers only`() throws {
    let rates = try Self.rates([(30, 3, 300), (30, 3, 600), (30, 3, 1_200)])
    #expect(
      try Self.steps(rates, .balanced) == [
        Step(layer: 1, kilobits: 300), Step(layer: 2, kilobits: 600),
        Step(layer: 3, kilobits: 1_200),
      ])
  }

  @Test func `a receiver that prefers resolution loses frames before it loses a layer`() throws {
    let rates = try Self.rates([(30, 3, 300), (30, 3, 600), (30, 3, 1_200)])
    #expect(
      try Self.steps(rates, .resolution) == [
        Step(layer: 1, temporalLayers: 1, kilobits: 120),
        Step(layer: 1, temporalLayers: 2, kilobits: 180),
        Step(layer: 2, temporalLayers: 1, kilobits: 240),
        Step(layer: 2, temporalLayers: 2, kilobits: 360),
        Step(layer: 3, temporalLayers: 1, kilobits: 480),
        Step(layer: 3, temporalLayers: 2, kilobits: 720),
        Step(layer: 3, kilobits: 1_200),
      ])
    let small = FrameSize(width: 320, height: 180)
    #expect(
      try Self.steps(rates, .resolution, target: small).map(\.kilobits) == [120, 180, 300])
  }

  @Test func `without temporal layers, all preferences give the same layers`() throws {
    let rates = try Self.rates([(15, 1, 150), (15, 1, 600)])
    for preference in [VideoAdaptationPreference.balanced, .frameRate, .resolution] {
      #expect(
        try Self.steps(rates, preference) == [
          Step(layer: 1, kilobits: 150), Step(layer: 2, kilobits: 600),
        ])
    }
  }

  @Test func `a number of temporal layers whose shares are unknown is not divided`() throws {
    let rates = try Self.rates([(30, 8, 800)])
    #expect(try Self.steps(rates, .resolution) == [Step(layer: 1, kilobits: 800)])
  }

  @Test func `a receiver that prefers the frame rate gets no slow layer`() throws {
    let rates = try Self.rates([(5, 1, 300), (28, 1, 600), (30, 1, 1_200)])
    #expect(try Self.steps(rates, .frameRate).map(\.layer) == [2, 3])
    #expect(try Self.steps(rates, .balanced).map(\.layer) == [1, 2, 3])
    // A small target needs only the slow layer, so this layer is the fastest one.
    let small = FrameSize(width: 320, height: 180)
    #expect(try Self.steps(rates, .frameRate, target: small).map(\.layer) == [1])
  }

  @Test func `a board decides by the receiver's preference and the measured temporal layers`()
    throws
  {
    let clock = Clock()
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(), clock)
    try board.join(
      Person.grace.description(publishing: .camera(600), isReceiving: false), clock)
    let tile = TileID.numbered(1)
    func decision() -> TileDecision? {
      board.sessions[Person.ada.session()]?.decision(about: tile)
    }
    for preference in [VideoAdaptationPreference.balanced, .resolution] {
      _ = try board.updateSubscriptions(
        of: Person.ada.session(),
        adding: [Person.grace.participant: .init(preference: preference)], removing: [])
      _ = board.setLink(of: .ada, to: 500, at: clock[.seconds(1)])
      #expect(decision()?.reason == .pausedForBandwidth)
    }
    _ = board.reportTracks(
      [
        SourceLayerReport(
          tile: tile, layer: 1, isFlowing: true, bitrate: .kilobits(600), temporalLayers: 2)
      ], at: clock[.seconds(2)])
    #expect(decision()?.reason == .lowered)
    #expect(decision()?.layer == 1 && decision()?.temporalLayers == 1)
    #expect(decision()?.bitrate == .kilobits(360))
    _ = board.setLink(of: .ada, to: 3_000, at: clock[.seconds(3)])
    _ = board.setLink(of: .ada, to: 3_000, at: clock[.seconds(60)])
    #expect(decision()?.reason == .wanted && decision()?.temporalLayers == 0)
  }
}
