/// Estimates how long a jitter buffer must hold packets so that few arrive too late.
///
/// It measures each packet's delay relative to the fastest of the last 5–10 s. Its result would
/// have let at most 1 % of the packets of the last 5 s arrive too late. A recurring delay is
/// detected with its third packet.
struct PlayoutDelay {
  /// The share of packets that may arrive too late.
  static let lateShare: Float = 0.01
  /// The highest lateness that counts; higher ones are reduced to it.
  static let maxLatenessUs: Int64 = 240_000
  /// The expected lateness before the first measurement.
  static let firstLatenessUs: Int64 = 20_000
  /// The shortest time for which the fastest packet counts; the longest is twice that.
  static let windowUs: Int64 = 5_000_000
  /// The time after a later packet within which a packet belongs to the same stall.
  static let burstUs: Int64 = 2_000
  /// The jump from which a clock counts as restarted.
  static let jumpUs: Int64 = 2_000_000

  /// The number of packets, 2 s of them, from which the lateness is measured.
  static let enough = 100

  private var transits = TransitWindow()
  private var windowStart: MediaTime?
  private var quickest: Int64 = 0
  private var quickestBefore: Int64 = .max
  private var last: Int64 = 0
  private var lastArrival: MediaTime?

  /// The lateness that nearly all packets stay below, in microseconds.
  private(set) var latenessUs = Self.firstLatenessUs

  /// Whether ``latenessUs`` was measured, over ``enough`` packets.
  var isKnown: Bool { transits.count > Self.enough }

  init() {}

  /// The least transit time from the sender's clock to ours, in microseconds: no delay.
  var floor: Int64 { min(quickest, quickestBefore) }

  /// Records a packet.
  ///
  /// - Parameter transit: The arrival time minus the timestamp, both in microseconds from any
  ///   origin.
  mutating func note(transit: Int64, at arrival: MediaTime) {
    let isBurst = lastArrival.map { arrival.microseconds(since: $0) < Self.burstUs }
    let followsLater = isBurst == true && transit < last
    moveWindow(to: arrival, transit: transit)
    lastArrival = arrival
    // A stall counts once, not for each packet that it delayed.
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

  /// Starts with an assumed packet, which later packets soon outnumber.
  private mutating func begin(with transit: Int64, at arrival: MediaTime) {
    windowStart = arrival
    quickest = transit
    quickestBefore = .max
    transits.removeAll()
    transits.append(transit &+ Self.firstLatenessUs)
  }
}
