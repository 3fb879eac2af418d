import Wire

/// One encoding of a source, with the number that browsers use for the encoding.
struct NumberedVideoEncoding: Hashable {
  let source: V1.VideoSource

  /// The index of the encoding among the source's layers, from 0.
  let layer: Int

  /// The number that browsers use for the encoding; never 0.
  var id: UInt32 { Self.id(of: source.tileID, layer: layer) }

  /// The participant id of the attendee who sends the source, with `#content` for a content share.
  var participantID: String { source.attendee?.attendeeID ?? "" }

  /// The size of the encoding.
  var size: VideoSize {
    VideoSize(source.layers[layer].width, source.layers[layer].height)
  }

  /// - Returns: `nil` if the source does not have this layer.
  init?(_ source: V1.VideoSource, layer: Int) {
    guard source.layers.indices.contains(layer) else { return nil }
    (self.source, self.layer) = (source, layer)
  }

  /// Returns the number of an encoding. Each tile has four numbers.
  static func id(of tileID: UInt32, layer: Int) -> UInt32 {
    tileID &* 4 &+ UInt32(truncatingIfNeeded: layer + 1)
  }

  /// Returns the tile of an encoding; `id` is not 0.
  static func tileID(of id: UInt32) -> UInt32 { (id &- 1) / 4 }

  /// Returns the index of an encoding among its source's layers; `id` is not 0.
  static func layer(of id: UInt32) -> Int { Int((id &- 1) % 4) }
}

extension V1.VideoSource {
  /// The id of the attendee who sends the source, without `#content`.
  var owner: String { String((attendee?.attendeeID ?? "").prefix { $0 != "#" }) }
}
