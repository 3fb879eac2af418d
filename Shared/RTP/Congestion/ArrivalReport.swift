/// What the other side of a connection reports of the packets that it was sent: which arrived, and
/// when.
///
/// Formats on the wire differ; each has a codec that reads it into this value, as
/// ``CongestionFeedbackReader`` reads RFC 8888. ``SentLog`` and the estimators know this value
/// alone.
///
/// A packet is named by its stream and its sequence number. Times are in microseconds by the other
/// side's clock; all reports of one connection count from the same origin, which says nothing. A
/// report that is cleared keeps its storage, so that reading the next one allocates nothing.
public struct ArrivalReport: Hashable, Sendable {
  /// Packets of one stream with successive numbers.
  struct Run: Hashable, Sendable {
    let stream: UInt32
    let first: SequenceNumber
    var count = 0

    /// The place of the first packet in ``times``.
    let start: Int
  }

  /// What became of one packet.
  public enum Fate: Hashable, Sendable {
    /// The report does not name the packet.
    case unreported

    /// The packet has not arrived.
    case missing

    /// The time of arrival, in microseconds by the other side's clock.
    case arrived(at: Int64)
  }

  private(set) var runs: [Run] = []

  /// Times of arrival; ``missingTime`` for packets that have not arrived.
  private var times: [Int64] = []

  private static let missingTime = Int64.min

  /// Makes a report that names no packet.
  public init() {}

  /// Whether it names no packet.
  public var isEmpty: Bool { times.isEmpty }

  /// Forgets all packets and keeps the storage.
  public mutating func clear() {
    runs.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
  }

  /// Begins a run of packets.
  public mutating func begin(_ stream: UInt32, from first: SequenceNumber) {
    runs.append(Run(stream: stream, first: first, start: times.count))
  }

  /// Adds the next packet of the run that was begun last.
  ///
  /// - Parameter arrivedAt: In microseconds; `nil`: the packet has not arrived.
  public mutating func add(arrivedAt: Int64?) {
    precondition(!runs.isEmpty, "A run begins before its packets.")
    runs[runs.count - 1].count += 1
    times.append(arrivedAt ?? Self.missingTime)
  }

  /// Says what became of a packet. The first run that names it counts.
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
