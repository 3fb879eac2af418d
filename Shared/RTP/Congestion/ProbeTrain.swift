/// A probe: packets sent faster than the estimated capacity, and their arrivals.
struct ProbeTrain: Sendable {
  /// The probed rate in bit/s.
  let target: Double
  let start: Int64

  /// The time at which the sender stops sending the probe.
  let end: Int64

  private var first: PacketArrival?
  private var last: PacketArrival?

  /// The bytes that arrived after the first packet.
  private var bytes = 0

  init(target: Double, from start: Int64, until end: Int64) {
    (self.target, self.start, self.end) = (target, start, end)
  }

  mutating func take(_ arrival: PacketArrival) {
    guard arrival.sentAt >= start, arrival.sentAt <= end else { return }
    if first == nil { first = arrival } else { bytes += arrival.bytes }
    last = arrival
  }

  /// The result of a probe.
  enum Outcome: Sendable {
    /// The packets arrived as fast as this side sent them.
    case passed(rate: Double)
    /// The packets arrived more slowly than this side sent them, so the link carries this rate.
    case spread(rate: Double)
    /// Too few packets arrived.
    case unclear
  }

  var outcome: Outcome {
    guard let first, let last, bytes > 0, last.sentAt > first.sentAt,
      last.arrivedAt > first.arrivedAt
    else { return .unclear }
    let sent = last.sentAt - first.sentAt
    let arrived = last.arrivedAt - first.arrivedAt
    // If this side sent the packets in less than half of the planned time, the arrival of the
    // packets shows little about the link.
    guard sent * 2 >= end - start else { return .unclear }
    let rate = Double(bytes) * 8_000_000 / Double(max(sent, arrived))
    return arrived - sent > max(15_000, sent / 5) ? .spread(rate: rate) : .passed(rate: rate)
  }
}
