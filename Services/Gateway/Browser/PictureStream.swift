import Wire

/// One encoding of a source, as browsers name it.
struct PictureStream: Hashable {
  let source: V1.VideoSource

  /// The place of the encoding among the source's layers, from 0.
  let layer: Int

  /// The number by which browsers know the encoding. It is not 0.
  var id: UInt32 { Self.id(of: source.tileID, layer: layer) }

  /// The attendee whose source it is, with the modality.
  var participantID: String { source.attendee?.attendeeID ?? "" }

  /// The size of the encoding.
  var size: PictureSize {
    PictureSize(source.layers[layer].width, source.layers[layer].height)
  }

  /// - Returns: `nil` for a layer that the source does not have.
  init?(_ source: V1.VideoSource, layer: Int) {
    guard source.layers.indices.contains(layer) else { return nil }
    (self.source, self.layer) = (source, layer)
  }

  /// The number of one encoding: each tile has four.
  static func id(of tileID: UInt32, layer: Int) -> UInt32 {
    tileID &* 4 &+ UInt32(truncatingIfNeeded: layer + 1)
  }

  /// The tile that an encoding belongs to. `id` is not 0.
  static func tileID(of id: UInt32) -> UInt32 { (id &- 1) / 4 }

  /// The place of an encoding among the layers of its source. `id` is not 0.
  static func layer(of id: UInt32) -> Int { Int((id &- 1) % 4) }
}

extension V1.VideoSource {
  /// The attendee whose it is, without a modality.
  var owner: String { String((attendee?.attendeeID ?? "").prefix { $0 != "#" }) }
}
