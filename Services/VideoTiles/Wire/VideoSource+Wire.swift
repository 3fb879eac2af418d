import MeetingModel
import Wire

extension SourceDeclaration {
  /// Reads a source from its publisher's message.
  init(_ video: V1.PublishedVideo?) throws(VideoTilesError) {
    guard let video else { throw .malformed(field: "video", rule: "present") }
    var layers: [SimulcastLayer] = []
    for layer in video.layers { layers.append(try SimulcastLayer(layer)) }
    try self.init(
      kind: try .read(video.kind), layers: layers,
      hint: VideoContentHint(video.hint) ?? VideoContentHint.none, tile: TileID(video.tileID),
      track: SSRC(video.trackSSRC))
  }
}

extension SimulcastLayer {
  fileprivate init(_ layer: V1.VideoLayer) throws(VideoTilesError) {
    guard let codec = VideoCodec(layer.codec) else {
      throw .malformed(field: "codec", rule: "VP8, H264, VP9 or AV1")
    }
    try self.init(
      ssrc: SSRC(layer.ssrc), size: FrameSize(width: Int(layer.width), height: Int(layer.height)),
      framesPerSecond: Int(layer.framesPerSecond),
      bitrate: Bitrate(bitsPerSecond: Int(layer.bitsPerSecond)),
      codec: codec, temporalLayers: max(Int(layer.temporalLayers), 1))
  }
}

extension VideoSourceKind {
  /// Reads a kind from a message.
  static func read(_ kind: V1.VideoSourceKind) throws(VideoTilesError) -> VideoSourceKind {
    guard let kind = VideoSourceKind(kind) else {
      throw .malformed(field: "kind", rule: "CAMERA or CONTENT")
    }
    return kind
  }
}

extension V1.VideoSource {
  init(_ source: PublishedVideoSource) {
    self.init(
      tileID: source.tile.number, attendee: V1.AttendeeInfo(source.publisher),
      kind: V1.VideoSourceKind(source.kind), layers: source.layers.map { V1.VideoLayer($0) },
      trackSSRC: source.track.number, hint: V1.VideoContentHint(source.hint))
  }
}

extension V1.PublishedVideo {
  /// Encodes the source for its publisher.
  init(_ source: PublishedVideoSource) {
    self.init(
      kind: V1.VideoSourceKind(source.kind), layers: source.layers.map { V1.VideoLayer($0) },
      tileID: source.tile.number, trackSSRC: source.track.number,
      hint: V1.VideoContentHint(source.hint))
  }
}

extension V1.VideoLayer {
  fileprivate init(_ layer: SimulcastLayer) {
    self.init(
      ssrc: layer.ssrc?.number ?? 0, width: UInt32(clamping: layer.size.width),
      height: UInt32(clamping: layer.size.height),
      framesPerSecond: UInt32(clamping: layer.framesPerSecond),
      bitsPerSecond: UInt32(clamping: layer.bitrate.bitsPerSecond),
      codec: V1.VideoCodec(layer.codec), temporalLayers: UInt32(clamping: layer.temporalLayers))
  }
}
