import RTP
import TestSupport

/// One direction of a link. A seed determines the random delays, changes of order and losses.
struct LossyPath {
  private var impairment: Impairment
  private var underWay: [(at: Int64, packet: [UInt8])] = []

  /// The least delay of a packet, in microseconds.
  private static let delay: Int64 = 10_000

  init(_ impairment: Impairment) { self.impairment = impairment }

  var lost: Int { impairment.lost }

  mutating func send(_ packet: [UInt8], at now: MonotonicTime) {
    for delay in impairment.fate() {
      underWay.append((now.microseconds + Self.delay + delay.wholeUs, packet))
    }
  }

  /// Returns the packets that arrived since the last call, in order of arrival.
  mutating func takeArrived(at now: MonotonicTime) -> [[UInt8]] {
    let arrived = underWay.filter { $0.at <= now.microseconds }.sorted { $0.at < $1.at }
    underWay.removeAll { $0.at <= now.microseconds }
    return arrived.map(\.packet)
  }
}
