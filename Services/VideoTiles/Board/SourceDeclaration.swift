import MeetingModel

/// A source in the publisher's declaration.
struct SourceDeclaration: Hashable, Sendable {
  let kind: VideoSourceKind

  /// The layers: 1-3, lowest bitrate first, with sizes that do not decrease. A content share has
  /// one layer.
  let layers: [SimulcastLayer]

  let hint: VideoContentHint

  /// The tile id that the source had before, according to the publisher.
  let tile: TileID?

  /// The SSRC of the track that the source had before, according to the publisher.
  let track: SSRC?

  static let mostLayers = 3

  /// - Throws: ``VideoTilesError/malformed(field:rule:)`` for invalid layers.
  init(
    kind: VideoSourceKind, layers: [SimulcastLayer], hint: VideoContentHint = .none,
    tile: TileID? = nil, track: SSRC? = nil
  ) throws(VideoTilesError) {
    let most = kind == .content ? 1 : Self.mostLayers
    guard (1...most).contains(layers.count) else {
      throw .malformed(field: "layers", rule: "1-3 for a camera, and 1 for content")
    }
    for (lower, higher) in zip(layers, layers.dropFirst()) {
      guard lower.bitrate < higher.bitrate, lower.size.width <= higher.size.width,
        lower.size.height <= higher.size.height
      else {
        throw .malformed(field: "layers", rule: "lowest bitrate first, with sizes not falling")
      }
      guard lower.codec == higher.codec else {
        throw .malformed(field: "codec", rule: "the same in all layers of a source")
      }
    }
    let named = layers.compactMap(\.ssrc) + (track.map { [$0] } ?? [])
    guard Set(named).count == named.count else {
      throw .malformed(field: "ssrc", rule: "different in each layer, and from track_ssrc")
    }
    self.kind = kind
    self.layers = layers
    self.hint = hint
    self.tile = tile
    self.track = track
  }
}
