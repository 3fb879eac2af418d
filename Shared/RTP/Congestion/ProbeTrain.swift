/// Packets that were sent faster than the link is known to carry, and how they arrived.
struct ProbeTrain: Sendable {
  /// The rate that is tried, in bits per second.
  let target: Double
  let start: Int64

  /// When no more of it is sent.
  let end: Int64

  private var first: PacketArrival?
  private var last: PacketArrival?

  /// Bytes that came behind the first packet.
  private var bytes = 0

  init(target: Double, from start: Int64, until end: Int64) {
    (self.target, self.start, self.end) = (target, start, end)
  }

  mutating func take(_ arrival: PacketArrival) {
    guard arrival.sentAt >= start, arrival.sentAt <= end else { return }
    if first == nil { first = arrival } else { bytes += arrival.bytes }
    last = arrival
  }

  /// What became of a train.
  enum Outcome: Sendable {
    /// It came as it was sent.
    case passed(rate: Double)
    /// It was spread out: the link carries so much.
    case spread(rate: Double)
    /// Too little of it came.
    case unclear
  }

  var outcome: Outcome {
    guard let first, let last, bytes > 0, last.sentAt > first.sentAt,
      last.arrivedAt > first.arrivedAt
    else { return .unclear }
    let sent = last.sentAt - first.sentAt
    let arrived = last.arrivedAt - first.arrivedAt
    // What was sent in much less time than planned says little.
    guard sent * 2 >= end - start else { return .unclear }
    let rate = Double(bytes) * 8_000_000 / Double(max(sent, arrived))
    return arrived - sent > max(15_000, sent / 5) ? .spread(rate: rate) : .passed(rate: rate)
  }
}
