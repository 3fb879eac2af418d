import MeetingModel

/// One encoding of a source, in the publisher's declaration.
struct SimulcastLayer: Hashable, Sendable {
  /// The SSRC of the layer's packets from the publisher; `nil` until the board has chosen an SSRC.
  var ssrc: SSRC?

  let size: FrameSize
  let framesPerSecond: Int

  /// The maximum bitrate of the layer.
  let bitrate: Bitrate

  let codec: VideoCodec
  let temporalLayers: Int

  /// - Throws: ``VideoTilesError/malformed(field:rule:)`` for an invalid layer.
  init(
    ssrc: SSRC?, size: FrameSize, framesPerSecond: Int, bitrate: Bitrate, codec: VideoCodec,
    temporalLayers: Int = 1
  ) throws(VideoTilesError) {
    guard (1...7_680).contains(size.width), (1...4_320).contains(size.height) else {
      throw .malformed(field: "size of a layer", rule: "1 x 1 to 7680 x 4320 pixels")
    }
    guard (1...120).contains(framesPerSecond) else {
      throw .malformed(field: "frames_per_second", rule: "1-120")
    }
    guard bitrate >= .kilobits(1) else {
      throw .malformed(field: "bits_per_second", rule: "at least 1000")
    }
    guard (1...codec.mostTemporalLayers).contains(temporalLayers) else {
      throw .malformed(field: "temporal_layers", rule: "1-4 for VP8, 1-8 for VP9, and 1 for others")
    }
    self.ssrc = ssrc
    self.size = size
    self.framesPerSecond = framesPerSecond
    self.bitrate = bitrate
    self.codec = codec
    self.temporalLayers = temporalLayers
  }
}

extension VideoCodec {
  /// The maximum number of temporal layers in one stream.
  fileprivate var mostTemporalLayers: Int {
    switch self {
    case .vp8: 4
    case .h264, .av1: 1
    case .vp9: 8
    }
  }
}
