/// Estimates how long a jitter buffer must keep packets so that few arrive too late.
///
/// It measures the delay of each packet relative to the fastest packet of the last 5–10 s. With the
/// resulting wait, at most 1 % of the packets of the last 5 s would have arrived too late. The
/// third packet with the same delay already changes the estimate.
struct PlayoutDelay {
  /// The share of packets that may arrive too late.
  static let lateShare: Float = 0.01
  /// The highest lateness that is used. A higher lateness is reduced to it.
  static let maxLatenessUs: Int64 = 240_000
  /// The expected lateness before the first measurement.
  static let firstLatenessUs: Int64 = 20_000
  /// The shortest time for which the fastest packet counts. The longest time is twice as long.
  static let windowUs: Int64 = 5_000_000
  /// A packet that arrives within this time of another packet may belong to the same stall.
  static let burstUs: Int64 = 2_000
  /// The jump of the transit time from which the sender's clock counts as restarted.
  static let jumpUs: Int64 = 2_000_000

  /// The number of packets after which the lateness counts as measured: 2 s of packets.
  static let enough = 100

  private var transits = TransitWindow()
  private var windowStart: MediaTime?
  private var quickest: Int64 = 0
  private var quickestBefore: Int64 = .max
  private var last: Int64 = 0
  private var lastArrival: MediaTime?

  /// The lateness that 99 % of packets stay below, in microseconds.
  private(set) var latenessUs = Self.firstLatenessUs

  /// Whether ``latenessUs`` was measured, over ``enough`` packets.
  var isKnown: Bool { transits.count > Self.enough }

  init() {}

  /// The least transit time in microseconds, from the sender's clock to the local clock.
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

  /// Starts with an assumed packet. Measured packets soon outnumber it.
  private mutating func begin(with transit: Int64, at arrival: MediaTime) {
    windowStart = arrival
    quickest = transit
    quickestBefore = .max
    transits.removeAll()
    transits.append(transit &+ Self.firstLatenessUs)
  }
}
