/// One line of the result: a value beside a peer's, and the bar it is held to.
struct Row {
  let name: String
  let unit: String

  /// `nil` when there is nobody to compare with.
  let peer: String?
  let samples: [Sample]
  var bar: Bar?

  /// What one round gave.
  struct Sample {
    let value: Double
    var peerValue: Double?

    var ratio: Double? { peerValue.map { value / $0 } }
  }

  var value: Double { median(samples.map(\.value)) }
  var peerValue: Double? { peer.map { _ in median(samples.compactMap(\.peerValue)) } }

  /// The median of the rounds' ratios, not the ratio of the medians: what slows a round down slows
  /// both sides.
  var ratio: Double? { peer.map { _ in median(samples.compactMap(\.ratio)) } }

  /// How much the value is above the peer's, in the row's unit.
  var difference: Double? {
    peer.map { _ in
      median(samples.compactMap { sample in sample.peerValue.map { sample.value - $0 } })
    }
  }

  var isMet: Bool? {
    guard let bar else { return nil }
    switch bar {
    case .ratioAtMost(let most): return (ratio ?? .infinity) <= most
    case .ratioAtLeast(let least): return (ratio ?? 0) >= least
    case .atMostAbove(let most): return (difference ?? .infinity) <= most
    case .atMost(let most): return value <= most
    case .atLeast(let least): return value >= least
    }
  }

  /// The row as an object, in the order in which people read it.
  var json: String {
    let peer = peer.map { "\"\($0)\"" } ?? "null"
    return "{\"name\": \"\(name)\", \"value\": \(Self.number(value)), \"unit\": \"\(unit)\", "
      + "\"peer\": \(peer), \"peer_value\": \(Self.number(peerValue)), "
      + "\"ratio\": \(Self.number(ratio)), \"rounds\": \(samples.count)}"
  }

  private static func number(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "null" }
    return "\((value * 1_000).rounded() / 1_000)"
  }
}

/// What a row must reach.
enum Bar: CustomStringConvertible {
  case ratioAtMost(Double)
  case ratioAtLeast(Double)

  /// The value may be so much above the peer's, in the row's unit.
  case atMostAbove(Double)

  /// The value itself may be so much, in the row's unit.
  case atMost(Double)

  /// The value itself must be so much, in the row's unit.
  case atLeast(Double)

  var description: String {
    switch self {
    case .ratioAtMost(let most): "≤ \(most)"
    case .ratioAtLeast(let least): "≥ \(least)"
    case .atMostAbove(let most): "≤ peer + \(most)"
    case .atMost(let most): "≤ \(most) itself"
    case .atLeast(let least): "≥ \(least) itself"
    }
  }
}

/// The middle value, or the mean of the two in the middle; 0 of none.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  return (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
}

/// The value below which such a share of them is; 0 of none.
func percentile(_ values: [Double], _ share: Double) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  return sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
}
