/// An estimator of the capacity of one direction of a connection.
///
/// An estimator is a value: callers pass in times and measurements, and read the results.
/// Connections report on their packets in different ways. ``FeedbackEstimator`` receives the
/// arrival time of each packet. Other estimators receive only one report per second. An
/// implementation uses the measurements that it needs, and ignores other measurements.
public protocol LinkEstimator: Sendable {
  /// The estimated capacity in bit/s, including RTP headers.
  var bitsPerSecond: Int { get }

  /// Whether ``bitsPerSecond`` is a measurement rather than an assumption.
  var isKnown: Bool { get }

  /// The maximum number of bytes in flight. Further packets must wait at the sender.
  var window: Int { get }

  /// The round trip in microseconds; 0 while it is unknown.
  var roundTrip: Int64 { get }

  /// Records that the caller has passed a packet to the connection.
  mutating func send(_ bytes: Int, at now: MonotonicTime)

  /// Records the arrival of a packet. Callers report arrivals in sending order.
  mutating func take(_ arrival: PacketArrival, at now: MonotonicTime)

  /// Concludes a feedback message after the caller has recorded the arrivals of all packets in this
  /// message.
  ///
  /// - Parameter isBacklogged: Whether packets wait at the sender because the window is full.
  mutating func conclude(
    _ outcome: SentLog.FeedbackResult, isBacklogged: Bool, at now: MonotonicTime)

  /// Records the number of bytes that wait at the connection.
  mutating func measure(backlog: Int, at now: MonotonicTime)

  /// Records a receiver report.
  ///
  /// - Parameters:
  ///   - lossFraction: The share of packets lost since the last report, 0–1.
  ///   - roundTrip: The round trip in microseconds; `nil` if the report contains no round trip.
  mutating func report(lossFraction: Double, roundTrip: Int64?, at now: MonotonicTime)

  /// Limits the estimate to the estimate that the receiver has reported.
  mutating func limit(to bitsPerSecond: UInt64)

  /// Updates the estimate. Call this method every 10 to 50 ms.
  mutating func advance(to now: MonotonicTime, _ demand: LinkDemand)

  /// Returns the number of bytes of padding to send now as a probe for more capacity.
  mutating func takePadding(at now: MonotonicTime) -> Int
}

extension LinkEstimator {
  /// Processes a report on arrived packets.
  ///
  /// - Parameters:
  ///   - log: The packets sent on the connection. Arrived packets are no longer in flight.
  ///   - isBacklogged: Whether packets wait at the sender because the window is full.
  public mutating func take(
    _ report: ArrivalReport, of log: inout SentLog, isBacklogged: Bool, at now: MonotonicTime
  ) {
    let outcome = log.receive(report, at: now) { take($0, at: now) }
    conclude(outcome, isBacklogged: isBacklogged, at: now)
  }

  public mutating func take(_ arrival: PacketArrival, at now: MonotonicTime) {}
  public mutating func conclude(
    _ outcome: SentLog.FeedbackResult, isBacklogged: Bool, at now: MonotonicTime
  ) {}
  public mutating func measure(backlog: Int, at now: MonotonicTime) {}
  public mutating func report(lossFraction: Double, roundTrip: Int64?, at now: MonotonicTime) {}
  public mutating func limit(to bitsPerSecond: UInt64) {}
}
