/// Decides when a jitter buffer has to play later, and when it may play sooner, by how long packets
/// waited at the last pulls.
///
/// The least wait counts: a pull that is itself late makes a packet wait longer, never shorter.
struct PlayoutPace {
  enum Step: Hashable, Sendable {
    /// Packets wait as long as they should.
    case keep
    /// Packets wait too little: play what comes next one packet later.
    case later
    /// Packets wait too long: play two in the time of one.
    case sooner
  }

  /// Pulls over which packets must have waited too little: 100 ms of 20 ms packets.
  static let laterPulls = 5
  /// Pulls over which packets must have waited too long: a second.
  static let soonerPulls = 50
  /// Pulls after a step to later in which one packet too much stays: 5 s. So long it takes until
  /// the lateness that made the step is forgotten.
  static let restPulls = 250

  private var leastUs = Int64.max
  private var pulls = 0
  private var pullsSinceLater = Self.restPulls

  /// Packets wait differently from now on.
  mutating func begin() { (leastUs, pulls) = (.max, 0) }

  /// What follows is played later since its packets came late.
  mutating func stretch() {
    begin()
    pullsSinceLater = 0
  }

  /// Decides what to do with the packet whose turn it is.
  ///
  /// - Parameters:
  ///   - waitUs: How long it waited, and would have if it had come as quickly as possible.
  ///   - wantedUs: How long packets should wait.
  ///   - packetUs: The length of a packet.
  ///   - spareUs: How much longer than wanted they may wait: a packet at least.
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
