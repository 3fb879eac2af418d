/// Decides when a jitter buffer delays or shortens its playout, from the waiting times of packets
/// at recent pulls.
///
/// The decision uses the least wait, because a late pull only lengthens the wait of a packet.
struct PlayoutPace {
  enum Step: Hashable, Sendable {
    /// Packets wait for the right time.
    case keep
    /// Packets wait too briefly: play the next packet one packet's length later.
    case later
    /// Packets wait too long: play two packets in the time of one packet.
    case sooner
  }

  /// The number of pulls after which a least wait below the wanted wait causes ``Step/later``: 100
  /// ms of 20 ms packets.
  static let laterPulls = 5
  /// The number of pulls after which a least wait above the allowed wait causes ``Step/sooner``: 1
  /// s.
  static let soonerPulls = 50
  /// The number of pulls after a delay during which one extra packet may wait: 5 s.
  ///
  /// After this time, the lateness that caused the delay is no longer in the window.
  static let restPulls = 250

  private var leastUs = Int64.max
  private var pulls = 0
  private var pullsSinceLater = Self.restPulls

  /// Restarts the measurement after the waiting times have changed.
  mutating func begin() { (leastUs, pulls) = (.max, 0) }

  /// Restarts the measurement after playout was delayed because of late packets.
  mutating func stretch() {
    begin()
    pullsSinceLater = 0
  }

  /// Decides what to do with the next packet.
  ///
  /// - Parameters:
  ///   - waitUs: How long the packet waited, corrected for its own lateness, in microseconds.
  ///   - wantedUs: The time that packets should wait, in microseconds.
  ///   - packetUs: The length of a packet, in microseconds.
  ///   - spareUs: How much longer than `wantedUs` packets may wait, in microseconds; at least
  ///     `packetUs`.
  mutating func step(
    waitUs: Int64, wantedUs: Int64, packetUs: Int64, spareUs: Int64
  ) -> Step {
    leastUs = min(leastUs, waitUs)
    pulls += 1
    pullsSinceLater = min(pullsSinceLater + 1, Self.restPulls)
    if pulls >= Self.laterPulls, leastUs < wantedUs {
      stretch()
      return .later
    }
    guard pulls >= Self.soonerPulls else { return .keep }
    defer { begin() }
    let rest = pullsSinceLater < Self.restPulls ? packetUs : 0
    return leastUs &- wantedUs > spareUs + rest ? .sooner : .keep
  }
}
