/// Uses the transit times of packets at recent pulls to decide when a jitter buffer delays or
/// shortens its playout.
///
/// The transit time of a packet at a pull is the time of the pull minus the packet's timestamp. The
/// decision uses the shortest of these times, because a late pull only lengthens the transit of a
/// packet.
struct PlayoutPace {
  enum Step: Hashable, Sendable {
    /// Packets wait neither too briefly nor too long: keep the pace of the playout.
    case keep
    /// Packets wait too briefly: play the next packet one packet's length later.
    case later
    /// Packets wait too long: play two packets in the time of one packet.
    case sooner
  }

  /// The number of pulls to measure before the decision ``Step/later``. With packets of 20 ms, the
  /// measurement takes 100 ms.
  static let laterPulls = 5
  /// The number of pulls to measure before the decision ``Step/later`` if packets wait too briefly
  /// by more than one packet's length. Many packets arrive too late in this case, so the buffer
  /// must lengthen the wait quickly.
  static let muchLaterPulls = 2
  /// The number of pulls to measure before the decision ``Step/sooner``. With packets of 20 ms, the
  /// measurement takes 1 s.
  static let soonerPulls = 50

  private var leastUs = Int64.max
  private var pulls = 0

  /// Restarts the measurement after the transit times at pulls have changed.
  mutating func begin() { (leastUs, pulls) = (.max, 0) }

  /// Decides what to do with the next packet. All times are in microseconds.
  ///
  /// - Parameters:
  ///   - transitUs: The packet's transit time at this pull.
  ///   - minUs: The shortest transit time that packets should have when the buffer plays them.
  ///   - maxUs: The longest transit time that packets should have when the buffer plays them: at
  ///     least `minUs` plus `packetUs`.
  ///   - packetUs: The length of a packet.
  mutating func step(transitUs: Int64, minUs: Int64, maxUs: Int64, packetUs: Int64) -> Step {
    leastUs = min(leastUs, transitUs)
    pulls += 1
    let missingUs = minUs &- leastUs
    if missingUs > 0, pulls >= (missingUs > packetUs ? Self.muchLaterPulls : Self.laterPulls) {
      begin()
      return .later
    }
    guard pulls >= Self.soonerPulls else { return .keep }
    defer { begin() }
    return leastUs > maxUs ? .sooner : .keep
  }
}
