/// Which layers of a video are sent, and at what bitrates, when the uplink does not carry all.
///
/// The lower ones first: layers are switched off from above, and the highest that is left gets what
/// remains. One goes off at once when less than three tenths of its bitrate is left for it, and on
/// again when half has been for a second. While it has less than it needs to move smoothly, those
/// below give it up to half of theirs: more eyes are on the highest than on them.
struct UplinkAllocation: Hashable, Sendable {
  private var count: Int?
  private var roomSince: Int64?

  /// The lowest layer is sent with so much at least: less shows nothing.
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
    guard let budget, let lowest = layers.first else {
      (count, roomSince) = (nil, nil)
      return layers
    }
    var on = min(count ?? layers.count, layers.count)
    while on > 1, budget - sum(layers, on - 1) < layers[on - 1] * 3 / 10 { on -= 1 }
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
    return layers.indices.map { index in
      if index >= on { return 0 }
      if index < on - 1 {
        let share = layers[index] - given * layers[index] / below
        return max(share, min(layers[index], Self.least))
      }
      let rate = min(highest, max(budget - below + given, Self.least))
      return index == 0 ? max(rate, min(lowest, Self.least)) : rate
    }
  }

  private func sum(_ layers: [Int], _ count: Int) -> Int { layers[..<count].reduce(0, +) }
}
