import MeetingModel
import Wire

extension SourceDeclaration {
  /// Reads a source as its publisher declared it.
  init(_ video: V1.PublishedVideo?) throws(VideoTilesError) {
    guard let video else { throw .malformed(field: "video", rule: "present") }
    var layers: [SimulcastLayer] = []
    for layer in video.layers { layers.append(try SimulcastLayer(layer)) }
    try self.init(
      kind: try SourceKind(video.kind), layers: layers, hint: ContentHint(video.hint),
      tile: TileID(video.tileID), track: SSRC(video.trackSSRC))
  }
}

extension SimulcastLayer {
  fileprivate init(_ layer: V1.VideoLayer) throws(VideoTilesError) {
    try self.init(
      ssrc: SSRC(layer.ssrc), size: FrameSize(width: Int(layer.width), height: Int(layer.height)),
      framesPerSecond: Int(layer.framesPerSecond),
      bitrate: Bitrate(bitsPerSecond: Int(layer.bitsPerSecond)),
      codec: try VideoCodec(layer.codec), temporalLayers: max(Int(layer.temporalLayers), 1))
  }
}

extension VideoCodec {
  fileprivate init(_ codec: V1.VideoCodec) throws(VideoTilesError) {
    switch codec {
    case .vp8: self = .vp8
    case .h264: self = .h264
    case .unspecified, .unrecognized: throw .malformed(field: "codec", rule: "VP8 or H264")
    }
  }
}

extension SourceKind {
  init(_ kind: V1.VideoSourceKind) throws(VideoTilesError) {
    switch kind {
    case .camera: self = .camera
    case .content: self = .content
    case .unspecified, .unrecognized:
      throw .malformed(field: "kind", rule: "CAMERA or CONTENT")
    }
  }
}

extension ContentHint {
  fileprivate init(_ hint: V1.VideoContentHint) {
    switch hint {
    case .unspecified, .none, .unrecognized: self = .none
    case .motion: self = .motion
    case .detail: self = .detail
    case .text: self = .text
    }
  }
}

extension V1.VideoSource {
  init(_ source: VideoSource) {
    self.init(
      tileID: source.tile.number, attendee: V1.AttendeeInfo(source.publisher),
      kind: V1.VideoSourceKind(source.kind), layers: source.layers.map { V1.VideoLayer($0) },
      trackSSRC: source.track.number, hint: V1.VideoContentHint(source.hint))
  }
}

extension V1.PublishedVideo {
  /// As its publisher gets it back.
  init(_ source: VideoSource) {
    self.init(
      kind: V1.VideoSourceKind(source.kind), layers: source.layers.map { V1.VideoLayer($0) },
      tileID: source.tile.number, trackSSRC: source.track.number,
      hint: V1.VideoContentHint(source.hint))
  }
}

extension V1.AttendeeInfo {
  fileprivate init(_ identity: ParticipantIdentity) {
    self.init(attendeeID: identity.id.text, externalUserID: identity.externalUserID.text)
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

extension V1.VideoCodec {
  fileprivate init(_ codec: VideoCodec) {
    switch codec {
    case .vp8: self = .vp8
    case .h264: self = .h264
    }
  }
}

extension V1.VideoSourceKind {
  init(_ kind: SourceKind) {
    switch kind {
    case .camera: self = .camera
    case .content: self = .content
    }
  }
}

extension V1.VideoContentHint {
  fileprivate init(_ hint: ContentHint) {
    switch hint {
    case .none: self = .none
    case .motion: self = .motion
    case .detail: self = .detail
    case .text: self = .text
    }
  }
}
