import MeetingModel
import Testing

@testable import VideoTiles

@Suite struct SourceDeclarationTests {
  /// The numbers of a declared layer.
  struct Numbers: Sendable {
    var width = 640
    var height = 360
    var framesPerSecond = 15
    var bits = 600_000
    var codec = VideoCodec.vp8
    var temporalLayers = 1

    func layer() throws -> SimulcastLayer {
      try SimulcastLayer(
        ssrc: nil, size: FrameSize(width: width, height: height),
        framesPerSecond: framesPerSecond, bitrate: Bitrate(bitsPerSecond: bits), codec: codec,
        temporalLayers: temporalLayers)
    }
  }

  @Test(arguments: [
    Numbers(width: 1, height: 1, framesPerSecond: 1, bits: 1_000, temporalLayers: 4),
    Numbers(
      width: 7_680, height: 4_320, framesPerSecond: 120, bits: 4_000_000_000, codec: .h264),
  ])
  func `layers with the smallest and largest valid values are accepted`(numbers: Numbers) throws {
    _ = try numbers.layer()
  }

  @Test(arguments: [
    Numbers(width: 0), Numbers(height: 0), Numbers(width: 7_681), Numbers(height: 4_321),
    Numbers(framesPerSecond: 0), Numbers(framesPerSecond: 121), Numbers(bits: 999),
    Numbers(temporalLayers: 0), Numbers(temporalLayers: 5),
    Numbers(codec: .h264, temporalLayers: 2),
  ])
  func `layers with invalid values are refused`(numbers: Numbers) {
    let error = #expect(throws: VideoTilesError.self) { try numbers.layer() }
    #expect(error?.status.code == .invalidArgument)
  }

  @Test func `layers must have ascending sizes and rates within the limits`() throws {
    typealias Source = SourceDeclaration
    let low = Source.layer(width: 320, height: 180, kilobits: 150)
    let middle = Source.layer(width: 640, height: 360, kilobits: 600)
    let high = Source.layer(width: 1_280, height: 720, kilobits: 1_200)
    _ = try SourceDeclaration(kind: .camera, layers: [low, middle, high])
    _ = try SourceDeclaration(kind: .content, layers: [high])
    let wrong: [(VideoSourceKind, [SimulcastLayer])] = [
      (.camera, []), (.content, []), (.content, [low, high]),
      (.camera, [low, middle, high, Source.layer(width: 1_280, height: 720, kilobits: 2_000)]),
      (.camera, [high, low]), (.camera, [low, low]),
      (.camera, [middle, Source.layer(width: 320, height: 360, kilobits: 700)]),
      (.camera, [middle, Source.layer(width: 640, height: 180, kilobits: 700)]),
      (.camera, [low, Source.layer(kilobits: 600, codec: .h264)]),
      (
        .camera,
        [Source.layer(kilobits: 100, ssrc: 9), Source.layer(kilobits: 200, ssrc: 9)]
      ),
    ]
    for (kind, layers) in wrong {
      #expect(throws: VideoTilesError.self) {
        try SourceDeclaration(kind: kind, layers: layers)
      }
    }
  }
}
