/// Estimates how long a jitter buffer must keep packets so that few packets arrive too late.
///
/// The estimate is based on the delay of each packet relative to the fastest packet of the last
/// 5–10 s. With the estimated wait, at most 1 % of the packets of the last 5 s would have arrived
/// too late. Three packets with the same delay are enough to change the estimate.
///
/// The buffer tolerates a shorter wait while at most 1.5 % of these packets would have arrived too
/// late. So random differences between packets do not move the playout back and forth.
struct PlayoutDelayEstimator {
  /// The share of packets that may arrive too late.
  static let lateShare: Float = 0.01
  /// The share of late packets above which the wait must grow.
  static let toleratedLateShare: Float = 0.015
  /// The highest lateness that the estimate uses. The estimate reduces a higher lateness to this
  /// value.
  static let maxLatenessUs: Int64 = 240_000
  /// The minimum lateness that the estimate assumes until the type has measured ``enough`` packets.
  static let firstLatenessUs: Int64 = 20_000
  /// The shortest time for which this type compares later packets with the fastest packet. The
  /// longest time is twice as long.
  static let windowUs: Int64 = 5_000_000
  /// The maximum time between the arrivals of two packets that may belong to the same stall.
  static let burstUs: Int64 = 2_000
  /// The minimum jump of the transit time after which this type assumes a restart of the sender's
  /// clock.
  static let jumpUs: Int64 = 2_000_000

  /// The number of packets after which the estimate may be lower than ``firstLatenessUs``: 2 s of
  /// packets.
  static let enough = 100

  private var transits = PacketTransitTimes()
  private var windowStart: MonotonicTime?
  private var quickest: Int64 = 0
  private var quickestBefore: Int64 = .max
  private var last: Int64 = 0
  private var lastArrival: MonotonicTime?

  /// A lateness, in microseconds, such that at most 1 % of packets are later.
  private(set) var latenessUs = Self.firstLatenessUs

  /// A lateness, in microseconds, such that at most the tolerated share of the packets is later.
  private var toleratedUs = Self.firstLatenessUs

  init() {}

  /// The least transit time in microseconds, from the sender's clock to the local clock.
  var floor: Int64 { min(quickest, quickestBefore) }

  /// The transit time after which the buffer should play packets.
  var wanted: Int64 { floor &+ latenessUs }

  /// The transit time before which the buffer must not play packets.
  var least: Int64 { floor &+ toleratedUs }

  /// Records a packet.
  ///
  /// - Parameter transit: The arrival time minus the timestamp, both in microseconds. The origins
  ///   of the two times may differ.
  mutating func note(transit: Int64, at arrival: MonotonicTime) {
    let isBurst = lastArrival.map { arrival.microseconds(since: $0) < Self.burstUs }
    let followsLater = isBurst == true && transit < last
    moveWindow(to: arrival, transit: transit)
    lastArrival = arrival
    // A stall counts once, not for each packet that it delayed.
    if !followsLater || transits.count == 0 { transits.append(transit) }
    latenessUs = lateness(exceededBy: Self.lateShare)
    toleratedUs = lateness(exceededBy: Self.toleratedLateShare)
  }

  private func lateness(exceededBy share: Float) -> Int64 {
    let measured = transits.transit(exceededBy: share) &- floor
    let least = transits.count < Self.enough ? Self.firstLatenessUs : 0
    return min(max(measured, least), Self.maxLatenessUs)
  }

  private mutating func moveWindow(to arrival: MonotonicTime, transit: Int64) {
    defer { last = transit }
    guard let start = windowStart, abs(transit &- last) < Self.jumpUs else {
      begin(with: transit, at: arrival)
      return
    }
    if arrival.microseconds(since: start) >= Self.windowUs {
      // After a pause, the clocks may have drifted apart, so the window before the pause no longer
      // counts.
      let isAdjacent = arrival.microseconds(since: start) < 2 * Self.windowUs
      windowStart = arrival
      quickestBefore = isAdjacent ? quickest : .max
      quickest = transit
    }
    quickest = min(quickest, transit)
  }

  private mutating func begin(with transit: Int64, at arrival: MonotonicTime) {
    windowStart = arrival
    quickest = transit
    quickestBefore = .max
    transits.removeAll()
  }
}
