import TestSupport

/// A network that loses, delays, duplicates and reorders datagrams to numbered ends. The same seed
/// gives the same faults.
struct VirtualNetwork {
  /// The faults for datagrams in either direction.
  struct Link: Hashable {
    /// The share of datagrams that the network drops.
    var loss = 0.0

    /// The share of datagrams that arrive twice.
    var duplication = 0.0

    /// The possible delays in ms, with equal probability. If several delays are possible, the
    /// network reorders datagrams.
    var delay = 1...1

    /// The length above which the network drops datagrams, in bytes.
    var mtu = 1_500

    static func random(using generator: inout SeededGenerator) -> Link {
      let least = Int.random(in: 0...150, using: &generator)
      return Link(
        loss: .random(in: 0...0.3, using: &generator),
        duplication: .random(in: 0...0.3, using: &generator),
        delay: least...least + .random(in: 0...400, using: &generator),
        mtu: [1_200, 1_280, 1_500].randomElement(using: &generator) ?? 1_500)
    }
  }

  struct Arrival {
    let end: Int
    let datagram: [UInt8]
    let time: ContinuousClock.Instant
  }

  let link: Link
  private var generator: SeededGenerator

  /// Datagrams in transit, in the order of their sending.
  private var underWay: [Arrival] = []

  init(_ link: Link = Link(), seed: UInt64 = 0) {
    self.link = link
    generator = SeededGenerator(seed: seed)
  }

  /// The time at which the next datagram arrives; `nil` if no datagram is in transit.
  var nextArrival: ContinuousClock.Instant? { underWay.map(\.time).min() }

  mutating func send(_ datagrams: [[UInt8]], to end: Int, at now: ContinuousClock.Instant) {
    for datagram in datagrams where datagram.count <= link.mtu {
      let copies = happens(link.loss) ? 0 : happens(link.duplication) ? 2 : 1
      for _ in 0..<copies {
        let delay = Int.random(in: link.delay, using: &generator)
        underWay.append(
          Arrival(end: end, datagram: datagram, time: now + .milliseconds(delay)))
      }
    }
  }

  /// Returns and removes the datagrams that have arrived, the earliest first.
  mutating func arrivals(at now: ContinuousClock.Instant) -> [Arrival] {
    let arrived = underWay.filter { $0.time <= now }
    underWay.removeAll { $0.time <= now }
    return arrived.sorted { $0.time < $1.time }
  }

  private mutating func happens(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < share
  }
}
