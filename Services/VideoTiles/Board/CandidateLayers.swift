import MeetingModel

/// A receiver's demand for one source: the layers that the receiver may get, lowest first, at most
/// three. Each layer is one level.
struct CandidateLayers: Sendable {
  let priority: VideoPriority
  private(set) var count = 0
  private var layers = InlineArray<3, UInt8>(repeating: 0)
  private var bitrates = InlineArray<3, Int>(repeating: 0)

  init(priority: VideoPriority) { self.priority = priority }

  /// Appends the next layer. The layer's bitrate must not be lower than the bitrate of the previous
  /// layer.
  ///
  /// - Parameter layer: The number of the layer, from 1.
  mutating func append(layer: Int, _ bitrate: Bitrate) {
    layers[count] = UInt8(layer)
    bitrates[count] = bitrate.bitsPerSecond
    count += 1
  }

  /// Returns the layer of a level. Level 0 has no layer, so the method returns 0 for this level.
  func layer(at level: Int) -> Int { level == 0 ? 0 : Int(layers[level - 1]) }

  /// Returns a copy of this value without the levels above a layer.
  func limited(toLayer highest: Int) -> CandidateLayers {
    var limited = self
    while limited.count > 0, layer(at: limited.count) > highest { limited.count -= 1 }
    return limited
  }

  /// Returns the bitrate of a level, in bit/s; 0 for level 0.
  func bits(at level: Int) -> Int { level == 0 ? 0 : bitrates[level - 1] }
}
