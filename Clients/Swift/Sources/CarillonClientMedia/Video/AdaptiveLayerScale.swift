/// The scale of a layer's pictures. The scale falls while complex pictures make the layer drop
/// frames.
///
/// Pictures full of leaves or noise exceed the layer's bitrate. A smaller picture that moves
/// smoothly is better than a larger picture that stutters.
///
/// The type counts frames in windows of 0.5 s. After three consecutive windows in which the layer
/// dropped at least a quarter of the frames, the scale falls by a step. The type ignores the first
/// four windows, because a new encoder first exceeds its bitrate and then finds the right quality.
///
/// The scale rises by a step in three cases: the bitrate is a third higher than at the last fall,
/// the layer dropped no frame for ten seconds, or the layer dropped no frame for five seconds in
/// which the pictures needed less than 45 per cent of the layer's bitrate. Each rise that was too
/// early doubles the wait before the next rise, up to a limit.
struct AdaptiveLayerScale: Hashable, Sendable {
  private var step = 0
  private var window = MeasurementWindow()
  private var badWindows = 0
  private var untilJudged = Self.settling
  /// The time without dropped frames, in quarters of a second. Time in which the pictures need less
  /// than 45 per cent of the bitrate counts twice.
  private var calm = 0
  private var patience = Self.leastPatience
  private var sinceRise = Int.max

  /// The bitrates at which the scale fell by each step.
  private var rates: [Int] = []

  /// The frames of half a second.
  private struct MeasurementWindow: Hashable {
    var began: Int64?
    var taken = 0
    var leftOut = 0
    var bytes = 0
  }

  /// The lengths of a picture's sides after each step, in eighths of the layer's sides.
  private static let eighths = [8, 6, 4]

  private static let windowTicks: Int64 = 45_000
  private static let windowsPerSecond = 2
  private static let badLimit = 3

  /// The number of windows that an encoder needs to adapt to its pictures.
  private static let settling = 4

  /// The length of the trial after a rise of the scale, in windows. If the scale falls during the
  /// trial, the rise was too early.
  private static let trial = 20
  private static let leastPatience = 40
  private static let mostPatience = 640

  /// The lengths of a picture's sides, in eighths of the layer's sides.
  var eighths: Int { Self.eighths[step] }

  /// Records an encoded or dropped frame.
  ///
  /// - Parameters:
  ///   - timestamp: The frame's timestamp, in ticks of 1/90,000 s.
  ///   - bytes: The size of the encoded frame, in bytes; `nil` for a dropped frame.
  ///   - rate: The layer's current bitrate, in bit/s.
  mutating func take(_ timestamp: Int64, bytes: Int?, bitsPerSecond rate: Int) {
    if let began = window.began, timestamp - began >= Self.windowTicks {
      judge(rate)
      window = MeasurementWindow(began: timestamp)
    }
    window.began = window.began ?? timestamp
    if let bytes {
      window.taken += 1
      window.bytes += bytes
    } else {
      window.leftOut += 1
    }
  }

  private mutating func judge(_ rate: Int) {
    if sinceRise < .max { sinceRise += 1 }
    if untilJudged > 0 {
      untilJudged -= 1
      return
    }
    let isBad = window.leftOut * 4 >= window.taken + window.leftOut
    badWindows = isBad ? badWindows + 1 : 0
    if isBad { calm = 0 }
    if badWindows >= Self.badLimit {
      makeSmaller(at: rate)
      return
    }
    guard let limit = rates.last else { return }
    // Before the last reduction of the scale, pictures had 16/9 times as many pixels as now.
    let isEasy = window.bytes * 8 * Self.windowsPerSecond * 20 < rate * 9
    if window.leftOut == 0 { calm += isEasy ? 4 : 2 }
    if rate * 3 >= limit * 4 {
      patience = Self.leastPatience
      makeLarger()
    } else if calm >= patience {
      makeLarger()
    }
  }

  private mutating func makeSmaller(at rate: Int) {
    (badWindows, calm) = (0, 0)
    guard step + 1 < Self.eighths.count else { return }
    let isTooSoon = sinceRise < Self.trial
    patience = isTooSoon ? min(patience * 2, Self.mostPatience) : Self.leastPatience
    step += 1
    rates.append(rate)
  }

  private mutating func makeLarger() {
    (badWindows, calm, sinceRise) = (0, 0, 0)
    step -= 1
    rates.removeLast()
  }
}
