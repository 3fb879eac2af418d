/// How long a jitter buffer should hold packets so that few come too late.
///
/// It looks at how much later each packet comes than the quickest of the last 5–10 s, keeps a
/// forgetting histogram of that, and asks for enough to cover 97 in 100.
struct PlayoutDelay {
  /// The share of packets that should come in time.
  static let coverage: Float = 0.97
  /// How much of the histogram stays with each packet: half of it is gone after 230 (4.6 s).
  static let memory: Float = 0.997
  /// Width of a step of the histogram.
  static let stepUs: Int64 = 5_000
  /// 240 ms in all; what comes later counts as that.
  static let stepCount = 48
  /// How long the quickest packet is remembered, at least: twice that at most.
  static let windowUs: Int64 = 5_000_000
  /// What comes this soon after a packet that was later still came of the same stall.
  static let burstUs: Int64 = 2_000
  /// A clock that jumps further than this has started anew.
  static let jumpUs: Int64 = 2_000_000

  /// From so many packets on, 2 s of them, the histogram says how late they come.
  static let enough: Float = 100

  /// What is expected before anything is known: 20 ms.
  private static let firstStep = 3

  private var histogram = InlineArray<48, Float>(repeating: 0)
  private var packetCount: Float = 1
  private var windowStart: MediaTime?
  private var quickest: Int64 = 0
  private var quickestBefore: Int64 = .max
  private var last: Int64 = 0
  private var lastArrival: MediaTime?

  /// How late a packet may be for nearly all of them, in microseconds.
  private(set) var latenessUs = Int64(Self.firstStep + 1) * Self.stepUs

  /// Whether ``latenessUs`` was measured, over ``enough`` packets.
  var isKnown: Bool { packetCount > Self.enough }

  init() {
    histogram[Self.firstStep] = 1
  }

  /// The least time from a sender's clock to ours, in microseconds: a delay of nothing.
  var floor: Int64 { min(quickest, quickestBefore) }

  /// - Parameter transit: Its arrival minus its timestamp, both in microseconds, of any origin.
  mutating func note(transit: Int64, at arrival: MediaTime) {
    let isBurst = lastArrival.map { arrival.microseconds(since: $0) < Self.burstUs }
    let followsLater = isBurst == true && transit < last
    moveWindow(to: arrival, transit: transit)
    lastArrival = arrival
    // A stall counts once, not for each packet that it held up.
    guard !followsLater else { return }
    let lateness = max(0, transit &- floor)
    let step = min(Int(lateness / Self.stepUs), Self.stepCount - 1)
    // The first packets weigh the same each, so that the first guess is soon forgotten.
    packetCount += 1
    let kept = min(Self.memory, 1 - 1 / packetCount)
    for index in histogram.indices { histogram[index] *= kept }
    histogram[step] += 1 - kept
    latenessUs = Int64(quantile() + 1) * Self.stepUs
  }

  private mutating func moveWindow(to arrival: MediaTime, transit: Int64) {
    defer { last = transit }
    guard let start = windowStart, abs(transit &- last) < Self.jumpUs else {
      windowStart = arrival
      quickest = transit
      quickestBefore = .max
      return
    }
    if arrival.microseconds(since: start) >= Self.windowUs {
      windowStart = arrival
      quickestBefore = quickest
      quickest = transit
    }
    quickest = min(quickest, transit)
  }

  /// The first step with which enough packets are covered.
  private func quantile() -> Int {
    var sum: Float = 0
    for index in histogram.indices {
      sum += histogram[index]
      if sum >= Self.coverage { return index }
    }
    return Self.stepCount - 1
  }
}
