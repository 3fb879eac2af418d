/// How long a jitter buffer should hold packets so that few come too late.
///
/// It looks at how much later each packet comes than the quickest of the last 5–10 s, and asks for
/// enough so that no more than one in a hundred of the last 5 s would have come too late. A delay
/// that comes again and again is seen with its third packet.
struct PlayoutDelay {
  /// The share of packets that may come too late.
  static let lateShare: Float = 0.01
  /// What comes later than this counts as that.
  static let maxLatenessUs: Int64 = 240_000
  /// What is expected before anything is known.
  static let firstLatenessUs: Int64 = 20_000
  /// How long the quickest packet is remembered, at least: twice that at most.
  static let windowUs: Int64 = 5_000_000
  /// What comes this soon after a packet that was later still came of the same stall.
  static let burstUs: Int64 = 2_000
  /// A clock that jumps further than this has started anew.
  static let jumpUs: Int64 = 2_000_000

  /// From so many packets on, 2 s of them, it is measured how late they come.
  static let enough = 100

  private var transits = TransitWindow()
  private var windowStart: MediaTime?
  private var quickest: Int64 = 0
  private var quickestBefore: Int64 = .max
  private var last: Int64 = 0
  private var lastArrival: MediaTime?

  /// How late a packet may be for nearly all of them, in microseconds.
  private(set) var latenessUs = Self.firstLatenessUs

  /// Whether ``latenessUs`` was measured, over ``enough`` packets.
  var isKnown: Bool { transits.count > Self.enough }

  init() {}

  /// The least time from a sender's clock to ours, in microseconds: a delay of nothing.
  var floor: Int64 { min(quickest, quickestBefore) }

  /// - Parameter transit: Its arrival minus its timestamp, both in microseconds, of any origin.
  mutating func note(transit: Int64, at arrival: MediaTime) {
    let isBurst = lastArrival.map { arrival.microseconds(since: $0) < Self.burstUs }
    let followsLater = isBurst == true && transit < last
    moveWindow(to: arrival, transit: transit)
    lastArrival = arrival
    // A stall counts once, not for each packet that it held up.
    if !followsLater { transits.append(transit) }
    let lateness = transits.transit(exceededBy: Self.lateShare) &- floor
    latenessUs = min(max(lateness, 0), Self.maxLatenessUs)
  }

  private mutating func moveWindow(to arrival: MediaTime, transit: Int64) {
    defer { last = transit }
    guard let start = windowStart, abs(transit &- last) < Self.jumpUs else {
      begin(with: transit, at: arrival)
      return
    }
    if arrival.microseconds(since: start) >= Self.windowUs {
      windowStart = arrival
      quickestBefore = quickest
      quickest = transit
    }
    quickest = min(quickest, transit)
  }

  /// Starts with a guess, which is one packet like the others and soon outnumbered.
  private mutating func begin(with transit: Int64, at arrival: MediaTime) {
    windowStart = arrival
    quickest = transit
    quickestBefore = .max
    transits.removeAll()
    transits.append(transit &+ Self.firstLatenessUs)
  }
}
