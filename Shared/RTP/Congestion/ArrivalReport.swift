/// The other side's report on the packets that this side sent: which packets arrived, and when.
///
/// Each wire format has a reader that converts reports to this value; for example,
/// ``CongestionFeedbackReader`` reads RFC 8888. ``SentLog`` and the estimators use only this value.
///
/// A packet's stream and sequence number identify the packet. Times are in microseconds by the
/// other side's clock, with the same arbitrary origin in all reports of a connection. ``clear()``
/// keeps the storage, so reading the next report allocates nothing.
public struct ArrivalReport: Hashable, Sendable {
  /// Packets of one stream with consecutive numbers.
  struct Run: Hashable, Sendable {
    let stream: UInt32
    let first: SequenceNumber
    var count = 0

    /// The index of the first packet in ``times``.
    let start: Int
  }

  /// The report on one packet.
  public enum Fate: Hashable, Sendable {
    /// The report does not contain the packet.
    case unreported

    /// The packet has not arrived.
    case missing

    /// The time of arrival, in microseconds by the other side's clock.
    case arrived(at: Int64)
  }

  private(set) var runs: [Run] = []

  /// The arrival times; ``missingTime`` for packets that have not arrived.
  private var times: [Int64] = []

  private static let missingTime = Int64.min

  /// Creates an empty report.
  public init() {}

  /// Whether the report contains no packet.
  public var isEmpty: Bool { times.isEmpty }

  /// Removes all packets, and keeps the storage.
  public mutating func clear() {
    runs.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
  }

  /// Begins a run of packets.
  public mutating func begin(_ stream: UInt32, from first: SequenceNumber) {
    runs.append(Run(stream: stream, first: first, start: times.count))
  }

  /// Adds the next packet of the last run.
  ///
  /// - Parameter arrivedAt: The arrival time in microseconds; `nil` if the packet has not arrived.
  public mutating func add(arrivedAt: Int64?) {
    precondition(!runs.isEmpty, "A run begins before its packets.")
    runs[runs.count - 1].count += 1
    times.append(arrivedAt ?? Self.missingTime)
  }

  /// Returns the report on a packet. If several runs contain the packet, the method uses the first
  /// run.
  public func fate(of stream: UInt32, _ sequence: SequenceNumber) -> Fate {
    for run in runs where run.stream == stream {
      let place = run.first.distance(to: sequence)
      guard (0..<run.count).contains(place) else { continue }
      let time = times[run.start + place]
      return time == Self.missingTime ? .missing : .arrived(at: time)
    }
    return .unreported
  }
}
