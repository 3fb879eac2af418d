/// Makes the pictures of a layer smaller while they are so hard that frames are left out for the
/// layer's bitrate, as a screen full of leaves or of noise is: a smaller picture that moves is
/// better than a larger one that stutters.
///
/// Frames are judged by half seconds. Three in a row in which a quarter is left out cost a step,
/// but not among the first four: an encoder that does not know its pictures takes too much for hard
/// ones, and finds the quality that fits by itself. A step is taken back when there is a third more
/// bitrate than when it was made, or when none has been left out for ten seconds, or for five with
/// pictures that are easy; each time that this was too soon it is tried again after twice as long.
struct PictureScale: Hashable, Sendable {
  private var step = 0
  private var window = Window()
  private var badWindows = 0
  private var untilJudged = Self.settling
  /// For how long none was left out, in quarters of a second, counted twice with easy pictures.
  private var calm = 0
  private var patience = Self.leastPatience
  private var sinceRise = Int.max

  /// The bitrates at which the steps were made.
  private var rates: [Int] = []

  /// Frames of half a second.
  private struct Window: Hashable {
    var began: Int64?
    var taken = 0
    var leftOut = 0
    var bytes = 0
  }

  /// The sides of pictures after each step, as eighths of the layer's.
  private static let eighths = [8, 6, 4]

  private static let windowTicks: Int64 = 45_000
  private static let windowsPerSecond = 2
  private static let badLimit = 3

  /// Windows in which an encoder finds out how hard its pictures are.
  private static let settling = 4

  /// A step that comes again within so many windows was taken back too soon.
  private static let trial = 20
  private static let leastPatience = 40
  private static let mostPatience = 640

  /// The sides of pictures, as eighths of the layer's.
  var eighths: Int { Self.eighths[step] }

  /// A frame was encoded, or left out for its bitrate.
  ///
  /// - Parameters:
  ///   - timestamp: In 90 kHz.
  ///   - bytes: What it took; `nil`: it was left out.
  ///   - rate: What the layer may take now, in bits per second.
  mutating func take(_ timestamp: Int64, bytes: Int?, bitsPerSecond rate: Int) {
    if let began = window.began, timestamp - began >= Self.windowTicks {
      judge(rate)
      window = Window(began: timestamp)
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
    // The picture before the step has 16/9 times as many pixels.
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
