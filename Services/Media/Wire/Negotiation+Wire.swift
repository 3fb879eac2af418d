import MeetingModel
import WebRTC
import Wire

extension BrowserVideoDirections {
  /// The maximum number of tracks in one offer. Each track has an m-line.
  private static let mostTracks = 100

  /// The maximum number of layers of one source.
  private static let mostLayers = 3

  /// Reads a request.
  ///
  /// - Throws: `invalidArgument` if there are too many tracks or layers.
  init(_ request: V1.NegotiateRequest) throws(MediaError) {
    guard request.tracks.count <= Self.mostTracks else {
      throw .malformed(field: "tracks", rule: "at most \(Self.mostTracks)")
    }
    guard request.layerSSRCs.count <= Self.mostLayers else {
      throw .malformed(field: "layer_ssrcs", rule: "at most \(Self.mostLayers)")
    }
    tracks = request.tracks.map {
      VideoTrack(ssrc: $0.trackSSRC, mid: $0.mid.isEmpty ? nil : $0.mid)
    }
    layers = request.layerSSRCs
  }
}

extension V1.NegotiateReply {
  init(_ answer: (text: String, media: NegotiatedMedia), term: UInt64) {
    self.init(
      answer: answer.text, term: term,
      tracks: answer.media.tracks.map {
        V1.NegotiatedTrack(trackSSRC: $0.ssrc, mid: $0.mid ?? "")
      },
      video: answer.media.sentVideo.flatMap { V1.NegotiatedVideo($0) },
      canDecode: V1.VideoCodec.all(answer.media.decodedCodecs))
  }
}

extension V1.NegotiatedVideo {
  /// Describes a video section; returns `nil` if the section has no codec that `media` forwards.
  fileprivate init?(_ section: NegotiatedSection) {
    guard let codec = section.codec.flatMap({ V1.VideoCodec($0) }) else { return nil }
    self.init(mid: section.mid, codec: codec, rids: section.receivedRIDs)
  }
}

extension V1.VideoCodec {
  /// Returns the codecs that `media` forwards, each once. An offer may list H.264 twice, once for
  /// each packetization mode.
  ///
  /// Nearly all sources of H.264 need packetization mode 1, and `media` does not convert packets.
  /// So a browser that accepts only mode 0 counts as a receiver of H.264 only if it accepts no
  /// other codec. Publishers then choose a codec that all receivers decode.
  fileprivate static func all(_ codecs: [NegotiatedCodec]) -> [V1.VideoCodec] {
    let unrestricted = codecs.filter { $0.packetizationMode != 0 }
    return (unrestricted.isEmpty ? codecs : unrestricted).reduce(into: []) { all, codec in
      if let codec = V1.VideoCodec(codec), !all.contains(codec) { all.append(codec) }
    }
  }

  /// Returns `nil` for a codec that `media` does not forward.
  fileprivate init?(_ codec: NegotiatedCodec) {
    switch codec.name {
    case "vp8": self = .vp8
    case "h264": self = .h264
    case "vp9": self = .vp9
    case "av1": self = .av1
    default: return nil
    }
  }
}
