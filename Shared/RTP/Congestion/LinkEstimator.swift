/// What one direction of one connection carries, by what its packets tell.
///
/// A value: time and measurements come from outside, and decisions are read from it. How a
/// connection tells of its packets differs, and so do the estimators: ``FeedbackEstimator`` knows
/// when each of them arrived, and others only what reports say once a second. Who conforms takes in
/// what it can use; the rest means nothing to it.
public protocol LinkEstimator: Sendable {
  /// What the link carries, in bits per second, with RTP headers.
  var bitsPerSecond: Int { get }

  /// Whether ``bitsPerSecond`` was measured, and is not what a link is taken for at first.
  var isKnown: Bool { get }

  /// Bytes that may be under way at a time; more wait at the sender.
  var window: Int { get }

  /// The round trip in microseconds; 0 while it is not known.
  var roundTrip: Int64 { get }

  /// A packet was handed to the connection.
  mutating func send(_ bytes: Int, at now: MediaTime)

  /// A packet arrived; they come in the order in which they were sent.
  mutating func take(_ arrival: PacketArrival, at now: MediaTime)

  /// All packets of one feedback were taken.
  ///
  /// - Parameter isBacklogged: Packets wait at the sender because as much is under way as may be.
  mutating func conclude(_ outcome: SentLog.Outcome, isBacklogged: Bool, at now: MediaTime)

  /// So many bytes wait at the connection.
  mutating func measure(backlog: Int, at now: MediaTime)

  /// A receiver report came.
  ///
  /// - Parameters:
  ///   - lossFraction: Of the packets since the one before, 0–1.
  ///   - roundTrip: In microseconds; `nil` if it does not tell.
  mutating func report(lossFraction: Double, roundTrip: Int64?, at now: MediaTime)

  /// The receiver says itself what its link carries: more than that is not assumed.
  mutating func limit(to bitsPerSecond: UInt64)

  /// Draws conclusions. Call it every 10 to 50 ms.
  mutating func advance(to now: MediaTime, _ demand: LinkDemand)

  /// Bytes of padding to send now, to see whether the link carries more.
  mutating func takePadding(at now: MediaTime) -> Int
}

extension LinkEstimator {
  /// The other side reported which packets arrived.
  ///
  /// - Parameters:
  ///   - log: What was sent on the connection. Packets that arrived are not under way any more.
  ///   - isBacklogged: Packets wait at the sender because as much is under way as may be.
  public mutating func take(
    _ report: ArrivalReport, of log: inout SentLog, isBacklogged: Bool, at now: MediaTime
  ) {
    let outcome = log.receive(report, at: now) { take($0, at: now) }
    conclude(outcome, isBacklogged: isBacklogged, at: now)
  }

  public mutating func take(_ arrival: PacketArrival, at now: MediaTime) {}
  public mutating func conclude(
    _ outcome: SentLog.Outcome, isBacklogged: Bool, at now: MediaTime
  ) {}
  public mutating func measure(backlog: Int, at now: MediaTime) {}
  public mutating func report(lossFraction: Double, roundTrip: Int64?, at now: MediaTime) {}
  public mutating func limit(to bitsPerSecond: UInt64) {}
}
