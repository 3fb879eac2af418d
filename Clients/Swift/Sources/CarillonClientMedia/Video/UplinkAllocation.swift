/// Which layers of a video are sent, and at what bitrates, when the uplink does not carry all.
///
/// The lower ones first: layers are switched off from above, and the highest that is left gets what
/// remains. One goes off at once when less than three tenths of its bitrate is left for it, and on
/// again when half has been for a second. While it has less than it needs to move smoothly, those
/// below give it up to half of theirs: more eyes are on the highest than on them.
struct UplinkAllocation: Hashable, Sendable {
  private var count: Int?
  private var roomSince: Int64?

  /// A layer that is on is sent with so much at least, if it may be: less shows nothing.
  static let least = 40_000

  /// What of its bitrate a layer needs so that hard pictures need not leave frames out.
  private static let smoothPercent = 80

  private static let patience: Int64 = 1_000_000

  /// - Parameters:
  ///   - layers: The highest bitrate of each, lowest first.
  ///   - budget: What the uplink carries for video, in bits per second; `nil`: not known.
  ///   - now: In microseconds.
  /// - Returns: The bitrate of each layer, in bits per second; 0: it is off.
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

  /// What a layer goes off without.
  private func need(_ bitrate: Int) -> Int { max(bitrate * 3 / 10, min(bitrate, Self.least)) }

  private func sum(_ layers: [Int], _ count: Int) -> Int { layers[..<count].reduce(0, +) }
}
