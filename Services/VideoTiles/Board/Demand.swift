import MeetingModel

/// What a receiver could get of one source, lowest layer first; never more than three.
struct Demand: Sendable {
  let priority: VideoPriority
  private(set) var count = 0
  private var layers = InlineArray<3, UInt8>(repeating: 0)
  private var bitrates = InlineArray<3, Int>(repeating: 0)

  init(priority: VideoPriority) { self.priority = priority }

  /// The next choice. Its bitrate is not less than that of the one before.
  ///
  /// - Parameter layer: Counted from 1.
  mutating func append(layer: Int, _ bitrate: Bitrate) {
    layers[count] = UInt8(layer)
    bitrates[count] = bitrate.bitsPerSecond
    count += 1
  }

  /// Which layer a level is; 0 for level 0, which is nothing.
  func layer(at level: Int) -> Int { level == 0 ? 0 : Int(layers[level - 1]) }

  /// The same without the levels above a layer.
  func limited(toLayer highest: Int) -> Demand {
    var limited = self
    while limited.count > 0, layer(at: limited.count) > highest { limited.count -= 1 }
    return limited
  }

  /// Bits per second of a level; none for level 0.
  func bits(at level: Int) -> Int { level == 0 ? 0 : bitrates[level - 1] }
}
