/// The allocation of the uplink's rate to the layers of a video.
///
/// Lower layers have priority. The highest enabled layer gets the rest of the rate. The allocation
/// disables the highest layer as soon as this layer would get less than three tenths of its
/// bitrate. The allocation enables the layer again after half of the layer's bitrate was available
/// for 1 s. Most attendees watch the highest layer. So while the highest enabled layer gets too
/// little for smooth motion, the allocation takes up to half of the lower layers' bitrates.
struct UplinkAllocation: Hashable, Sendable {
  private var count: Int?
  private var roomSince: Int64?

  /// The minimum bitrate of an enabled layer, in bit/s, unless the layer's highest bitrate is
  /// lower.
  ///
  /// At a lower bitrate, viewers recognize nothing in the picture.
  static let least = 40_000

  /// The share of a layer's bitrate, in per cent, that the layer needs to encode complex pictures
  /// without dropping frames.
  private static let smoothPercent = 80

  private static let patience: Int64 = 1_000_000

  /// Allocates the budget to the layers.
  ///
  /// - Parameters:
  ///   - layers: The highest bitrate of each layer, in bit/s, lowest layer first.
  ///   - budget: The uplink's rate for video, in bit/s; `nil` while unknown.
  ///   - now: The time in microseconds.
  /// - Returns: The bitrate of each layer, in bit/s; 0 for a disabled layer.
  mutating func allocate(_ layers: [Int], within budget: Int?, at now: Int64) -> [Int] {
    guard let budget, !layers.isEmpty else {
      (count, roomSince) = (nil, nil)
      return layers
    }
    var on = min(count ?? layers.count, layers.count)
    while on > 1, budget - sum(layers, on - 1) < need(layers[on - 1]) { on -= 1 }
    if on < layers.count, budget - sum(layers, on) >= layers[on] / 2 {
      let since = roomSince ?? now
      roomSince = since
      if now - since >= Self.patience {
        on += 1
        roomSince = nil
      }
    } else {
      roomSince = nil
    }
    count = on
    let below = sum(layers, on - 1)
    let highest = layers[on - 1]
    let missing = highest * Self.smoothPercent / 100 - (budget - below)
    let given = max(0, min(missing, below / 2))
    var left = budget
    return layers.indices.map { index in
      guard index < on else { return 0 }
      guard index == on - 1 else {
        let rest = layers[index] - given * layers[index] / max(below, 1)
        let rate = max(rest, min(layers[index], Self.least))
        left -= rate
        return rate
      }
      return min(highest, max(left, Self.least))
    }
  }

  /// Returns the rate below which the allocation disables a layer, in bit/s.
  private func need(_ bitrate: Int) -> Int { max(bitrate * 3 / 10, min(bitrate, Self.least)) }

  private func sum(_ layers: [Int], _ count: Int) -> Int { layers[..<count].reduce(0, +) }
}
