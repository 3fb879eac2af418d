/// One row of the results: a value, the peer's value, and the goal (bar) to reach.
struct BenchmarkRow {
  let name: String
  let unit: String

  /// The name of the peer; `nil` if the row has no peer.
  let peer: String?
  let samples: [RoundValues]
  var bar: PassThreshold?

  /// The values of one round.
  struct RoundValues {
    let value: Double
    var peerValue: Double?

    var ratio: Double? { peerValue.map { value / $0 } }
  }

  var value: Double { median(samples.map(\.value)) }
  var peerValue: Double? { peer.map { _ in median(samples.compactMap(\.peerValue)) } }

  /// The median of the rounds' ratios, not the ratio of the medians, because a disturbance slows
  /// both sides of a round.
  var ratio: Double? { peer.map { _ in median(samples.compactMap(\.ratio)) } }

  /// The median difference from the peer's value, in the row's unit.
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

  /// The row as a JSON object, with its members in reading order.
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

/// The goal that a row must reach.
enum PassThreshold: CustomStringConvertible {
  case ratioAtMost(Double)
  case ratioAtLeast(Double)

  /// The value may exceed the peer's value by at most this difference, in the row's unit.
  case atMostAbove(Double)

  /// The value may be at most this number, in the row's unit.
  case atMost(Double)

  /// The value must be at least this number, in the row's unit.
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

/// Returns the median; 0 for an empty array.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  return (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
}

/// Returns the value below which the given share of the values lies; 0 for an empty array.
func percentile(_ values: [Double], _ share: Double) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  return sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
}
