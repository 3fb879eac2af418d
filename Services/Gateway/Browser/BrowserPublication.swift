import MeetingModel
import Wire

/// A value type for the pictures that one browser sends.
///
/// The input is the description that `media` returns for the browser's offer. The output is the
/// video to publish.
struct BrowserPublication {
  let kind: V1.VideoSourceKind

  /// The SSRCs of the layers in the last request to `media`, lowest bitrate first.
  private(set) var ssrcs: [UInt32] = []

  /// The last published video that `video-tiles` has accepted.
  private var accepted: V1.PublishedVideo?

  /// The maximum number of layers of one source.
  private static let mostLayers = 3

  init(_ kind: V1.VideoSourceKind) { self.kind = kind }

  // MARK: Media

  /// Chooses the SSRCs for `media`. Layers of published video keep their SSRCs. Without published
  /// video, the layers keep the SSRCs of the last call. Further layers get random SSRCs.
  ///
  /// - Parameters:
  ///   - published: All video that the session publishes.
  ///   - random: Returns a random SSRC. If `random` returns 0 or an SSRC in use, the method calls
  ///     `random` again.
  mutating func chooseSSRCs(
    _ published: [V1.PublishedVideo], random: () -> UInt32 = { .random(in: 1 ... .max) }
  ) {
    let known = published.first { $0.kind == kind }
    var chosen = known.map { layers($0) } ?? ssrcs
    while chosen.count < Self.mostLayers {
      let ssrc = random()
      if ssrc != 0, !chosen.contains(ssrc), known?.trackSSRC != ssrc { chosen.append(ssrc) }
    }
    ssrcs = chosen
  }

  /// Returns ``ssrcs`` if this list contains all SSRCs of a published source as one consecutive
  /// run. Otherwise returns only the SSRCs of the source.
  private func layers(_ video: V1.PublishedVideo) -> [UInt32] {
    let layers = video.layers.map(\.ssrc)
    return ssrcs.contains(layers) ? ssrcs : layers
  }

  /// Takes over the SSRCs that `video-tiles` has chosen.
  ///
  /// - Returns: Whether `media` uses other SSRCs than `video-tiles`, so that the gateway must
  ///   negotiate with `media` again.
  mutating func adopt(_ video: V1.PublishedVideo, for offered: V1.NegotiatedVideo) -> Bool {
    let first = kind == .content ? max(offered.rids.count, 1) - 1 : 0
    var corrected = ssrcs
    for (rank, layer) in video.layers.enumerated() where corrected.indices.contains(first + rank) {
      corrected[first + rank] = layer.ssrc
    }
    defer { ssrcs = corrected }
    return corrected != ssrcs
  }

  // MARK: Video-tiles

  /// Returns the video to publish; `nil` if `video-tiles` has already accepted this video.
  ///
  /// A content share has one layer. If the browser sends several layers, the gateway publishes only
  /// the highest layer.
  ///
  /// - Parameter published: All video that the session publishes.
  func change(
    to offered: V1.NegotiatedVideo, _ encodings: [BrowserSubscription.Encoding],
    from published: [V1.PublishedVideo]
  ) -> V1.PublishedVideo? {
    let layers = Self.layers(offered, encodings, ssrcs)
    let video = V1.PublishedVideo(
      kind: kind, layers: kind == .content ? Array(layers.suffix(1)) : layers)
    let isThere = published.contains { known in
      known.kind == kind && known.layers.map(\.ssrc) == video.layers.map(\.ssrc)
    }
    return isThere && accepted == video ? nil : video
  }

  /// Records the video that `video-tiles` has accepted. `video` contains the SSRCs that
  /// `video-tiles` has chosen.
  mutating func accept(_ asked: V1.PublishedVideo, as video: V1.PublishedVideo) {
    var asked = asked
    for (rank, layer) in video.layers.prefix(asked.layers.count).enumerated() {
      asked.layers[rank].ssrc = layer.ssrc
    }
    accepted = asked
  }

  /// Ends the publication. The next publication gets new SSRCs.
  mutating func end() { (accepted, ssrcs) = (nil, []) }

  private static func layers(
    _ offered: V1.NegotiatedVideo, _ encodings: [BrowserSubscription.Encoding],
    _ ssrcs: [UInt32]
  ) -> [V1.VideoLayer] {
    let count = min(max(offered.rids.count, 1), mostLayers)
    var layers: [V1.VideoLayer] = []
    for rank in 0..<count {
      let encoding = encodings.indices.contains(rank) ? encodings[rank] : nil
      let least = layers.last.map { $0.bitsPerSecond + step } ?? 0
      let bits = max(encoding?.bitsPerSecond ?? defaults(count)[rank], least)
      layers.append(V1.VideoLayer(ssrcs[rank], bits, encoding, offered.codec))
    }
    return layers
  }

  /// Returns the bitrates that the gateway assumes for paused layers, in bit/s.
  private static func defaults(_ count: Int) -> [UInt32] {
    switch count {
    case 1: [1_200_000]
    case 2: [300_000, 1_200_000]
    default: [300_000, 600_000, 1_200_000]
    }
  }

  /// The minimum difference between the bitrates of two successive layers, in bit/s. `video-tiles`
  /// requires rising bitrates.
  private static let step: UInt32 = 100_000
}

extension [UInt32] {
  /// Returns whether this array contains the other elements as one consecutive run.
  fileprivate func contains(_ others: [UInt32]) -> Bool {
    guard !others.isEmpty, count >= others.count else { return false }
    return (0...(count - others.count)).contains { start in
      self[start..<(start + others.count)].elementsEqual(others)
    }
  }
}

extension BrowserSubscription.Encoding {
  /// The bitrate in bit/s; `nil` if the browser has paused the encoding.
  fileprivate var bitsPerSecond: UInt32? {
    maxBitrateKbps == 0 ? nil : Swift.min(maxBitrateKbps, Self.mostKbps) * 1_000
  }

  /// The maximum bitrate in kbit/s. The bitrates of browsers are lower.
  private static let mostKbps: UInt32 = 20_000
}

extension V1.VideoLayer {
  /// Creates the layer for an encoding that a browser announced.
  ///
  /// Guesses the layer's size from its bitrate. Later, `media` measures the real size.
  fileprivate init(
    _ ssrc: UInt32, _ bitsPerSecond: UInt32, _ encoding: BrowserSubscription.Encoding?,
    _ codec: V1.VideoCodec
  ) {
    let size = VideoSize(guessedFrom: bitsPerSecond)
    self.init(
      ssrc: ssrc, width: size.width, height: size.height,
      framesPerSecond: min(max(encoding?.framesPerSecond ?? 0, 15), 120),
      bitsPerSecond: bitsPerSecond, codec: codec)
  }
}

extension VideoSize {
  /// Guesses the size of the pictures that a browser sends at the given bitrate, in bit/s.
  fileprivate init(guessedFrom bitsPerSecond: UInt32) {
    switch bitsPerSecond {
    case ...350_000: self.init(320, 180)
    case ...700_000: self.init(640, 360)
    default: self.init(1_280, 720)
    }
  }
}
