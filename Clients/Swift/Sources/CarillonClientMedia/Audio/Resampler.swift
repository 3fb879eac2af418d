internal import Foundation

/// A converter that changes the sample rate of a complete recording with a polyphase filter.
struct Resampler {
  private let up: Int
  private let down: Int
  /// The filters, one for each position between two samples.
  private let phases: [[Float]]

  /// The number of samples on each side that a filter covers, at the lower of the two rates.
  private static let reach = 12

  /// - Returns: `nil` if the rates are equal or not positive.
  init?(from: Int, to: Int) {
    guard from != to, from > 0, to > 0 else { return nil }
    var (divisor, rest) = (from, to)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    (up, down) = (to / divisor, from / divisor)
    let cutoff = min(1, Double(to) / Double(from))
    let half = Int((Double(Self.reach) / cutoff).rounded(.up))
    phases = (0..<up).map { [up] phase in
      let shift = Double(phase) / Double(up)
      let filter = (-half + 1...half).map { tap in
        Self.sinc((Double(tap) - shift) * cutoff)
          * Self.window((Double(tap) - shift) / Double(half))
      }
      // The division by the sum makes a constant input produce the same constant output in every
      // phase.
      let sum = filter.reduce(0, +)
      return filter.map { Float($0 / sum) }
    }
  }

  func resample(_ samples: [Int16]) -> [Int16] {
    let count = samples.count * up / down
    let half = (phases.first?.count ?? 0) / 2
    return (0..<count).map { index in
      let position = index * down
      let filter = phases[position % up]
      let first = position / up - half + 1
      var sum: Float = 0
      for tap in max(0, -first)..<max(0, -first, min(filter.count, samples.count - first)) {
        sum += filter[tap] * Float(samples[first + tap])
      }
      return Int16(max(-32_768, min(32_767, sum.rounded())))
    }
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

  /// Returns the value of the Blackman window at `x`.
  private static func window(_ x: Double) -> Double {
    abs(x) >= 1 ? 0 : 0.42 + 0.5 * cos(.pi * x) + 0.08 * cos(2 * .pi * x)
  }
}
