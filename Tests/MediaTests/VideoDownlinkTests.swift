import RTP
import Testing

@testable import Media

@Suite struct VideoDownlinkTests {
  /// A link with a queue, and a sender that uses the whole estimate.
  private struct Link {
    var estimator = DownlinkEstimator(
      DownlinkEstimatorParameters(), at: MonotonicTime(microseconds: 0))
    var now = MonotonicTime(microseconds: 0)
    var capacity = 1_000_000.0
    var loss = 0.0
    var wantsMore = true

    /// Returns the rate of the sender for an estimate, in bit/s.
    var demand: (Int) -> Int = { $0 }
    private var queued = 0.0
    private var debt = 0.0

    /// - Returns: The estimate after each tenth of a second.
    mutating func run(seconds: Double) -> [Double] {
      var estimates: [Double] = []
      for step in 0..<Int(seconds * 100) {
        now = now.advanced(byUs: 10_000)
        debt += Double(demand(estimator.estimate)) / 800
        while debt >= 1_200 { send(1_200, debt: 1_200) }
        let padding = estimator.takePadding(over: 10_000, at: now)
        if padding > 0 { send(padding, debt: 0) }
        queued = max(0, queued - capacity / 800)
        estimator.measure(backlog: Int(queued), at: now)
        if step % 100 == 0 {
          estimator.report(lossFraction: loss, roundTrip: 20_000, at: now)
        }
        estimator.advance(to: now, wantsMore: wantsMore)
        if step % 10 == 0 { estimates.append(Double(estimator.estimate)) }
      }
      return estimates
    }

    private mutating func send(_ bytes: Int, debt paid: Double) {
      estimator.send(bytes, at: now)
      queued += Double(bytes)
      debt -= paid
    }
  }

  @Test func `the estimate of a link without any arrivals stays at the minimum`() {
    var estimator = DownlinkEstimator(
      DownlinkEstimatorParameters(), at: MonotonicTime(microseconds: 0))
    var backlog = 0
    for step in 1...500 {
      let now = MonotonicTime(microseconds: Int64(step) * 20_000)
      estimator.send(3_000, at: now)
      backlog += 3_000
      estimator.measure(backlog: backlog, at: now)
      estimator.advance(to: now, wantsMore: true)
    }
    #expect(estimator.estimate == DownlinkEstimatorParameters().floor)
    // No packet waits and no packet arrives. The estimator must not divide by the number of
    // arrivals, which is zero.
    estimator.measure(backlog: 0, at: MonotonicTime(microseconds: 11_000_000))
    estimator.report(
      lossFraction: 1, roundTrip: 900_000, at: MonotonicTime(microseconds: 11_000_000))
    estimator.advance(to: MonotonicTime(microseconds: 11_020_000), wantsMore: true)
    #expect(estimator.estimate == DownlinkEstimatorParameters().floor)
  }

  @Test func `half a second without arrivals lowers the estimate by at most half`() {
    var estimator = DownlinkEstimator(
      DownlinkEstimatorParameters(), at: MonotonicTime(microseconds: 0))
    estimator.send(1_200, at: MonotonicTime(microseconds: 0))
    estimator.measure(backlog: 0, at: MonotonicTime(microseconds: 0))
    for step in 1...40 {
      let now = MonotonicTime(microseconds: Int64(step) * 10_000)
      estimator.send(20_000, at: now)
      estimator.measure(backlog: step * 20_000, at: now)
      estimator.advance(to: now, wantsMore: true)
    }
    #expect(estimator.estimate == DownlinkEstimatorParameters().start / 2)
  }

  @Test func `the estimator forgets a long round trip when reports stop`() {
    var estimator = DownlinkEstimator(
      DownlinkEstimatorParameters(), at: MonotonicTime(microseconds: 0))
    var now = MonotonicTime(microseconds: 0)
    estimator.report(lossFraction: 0, roundTrip: 20_000, at: now)
    for _ in 1...5 {
      now = now.advanced(byUs: 1_000_000)
      estimator.send(1_200, at: now)
      estimator.report(lossFraction: 0, roundTrip: 2_000_000, at: now)
      estimator.advance(to: now, wantsMore: true)
    }
    let fallen = estimator.estimate
    #expect(fallen < DownlinkEstimatorParameters().start / 2)
    // The server has paused all tiles, so the receiver has no packet to report on.
    for _ in 1...20 {
      now = now.advanced(byUs: 1_000_000)
      estimator.measure(backlog: 0, at: now)
      estimator.advance(to: now, wantsMore: true)
    }
    #expect(estimator.estimate > fallen * 3 / 2)
  }

  /// A link with a distant queue. The sender notices the queue only in reports that are a second
  /// late: as a longer round trip and as loss.
  private struct FarLink {
    var estimator = DownlinkEstimator(
      DownlinkEstimatorParameters(), at: MonotonicTime(microseconds: 0))
    var capacity = 2_000_000.0
    /// Returns the rate of the sender for an estimate, in bit/s.
    var demand: (Int) -> Int
    private var now = MonotonicTime(microseconds: 0)
    private var queued = 0.0
    private var (sent, lost) = (0.0, 0.0)
    private var debt = 0.0
    private static let longestQueue: Double = 0.4

    init(demand: @escaping (Int) -> Int) { self.demand = demand }

    /// - Returns: The estimate after each tenth of a second.
    mutating func run(seconds: Int) -> [Int] {
      var estimates: [Int] = []
      for step in 0..<(seconds * 100) {
        now = now.advanced(byUs: 10_000)
        debt += Double(demand(estimator.estimate)) / 800
        while debt >= 1_200 {
          send(1_200)
          debt -= 1_200
        }
        let padding = estimator.takePadding(over: 10_000, at: now)
        if padding > 0 { send(padding) }
        queued = max(0, queued - capacity / 800)
        estimator.measure(backlog: 0, at: now)
        if step % 100 == 99 { report() }
        estimator.advance(to: now, wantsMore: true)
        if step % 10 == 9 { estimates.append(estimator.estimate) }
      }
      return estimates
    }

    private mutating func send(_ bytes: Int) {
      estimator.send(bytes, at: now)
      sent += 1
      if queued * 8 / capacity > Self.longestQueue { lost += 1 } else { queued += Double(bytes) }
    }

    private mutating func report() {
      estimator.report(
        lossFraction: sent > 0 ? lost / sent : 0,
        roundTrip: 20_000 + Int64(queued * 8_000_000 / capacity), at: now)
      (sent, lost) = (0, 0)
    }
  }

  @Test func `a queue far from media lowers the estimate to the capacity and no further`() {
    // The sender has several layers, and sends the layer with the highest bitrate below the
    // estimate.
    var link = FarLink { estimate in
      [4_100_000, 3_100_000, 2_400_000, 1_500_000, 1_000_000, 500_000].first { $0 <= estimate }
        ?? 150_000
    }
    let capacity = link.capacity
    link.capacity = 20_000_000
    _ = link.run(seconds: 5)
    #expect(link.estimator.estimate >= 4_100_000)
    link.capacity = capacity
    let estimates = link.run(seconds: 20)
    let settled = estimates.firstIndex { $0 < 2_400_000 }
    #expect(settled ?? .max <= 60, "within six seconds")
    #expect(estimates.min() ?? 0 >= 1_000_000, "\(estimates)")
  }

  @Test(arguments: [300_000.0, 1_000_000, 2_500_000, 8_000_000])
  func `the estimate differs from a constant capacity by less than a fifth`(capacity: Double) {
    var link = Link()
    link.capacity = capacity
    _ = link.run(seconds: 30)
    let estimates = link.run(seconds: 60)
    let mean = estimates.reduce(0, +) / Double(estimates.count)
    #expect(abs(mean - capacity) < 0.2 * capacity)
    #expect((estimates.min() ?? 0) > 0.7 * capacity)
    #expect((estimates.max() ?? 0) < 1.3 * capacity)
  }

  @Test func `the estimate follows a slower link within two seconds`() {
    var link = Link()
    link.capacity = 3_000_000
    _ = link.run(seconds: 30)
    link.capacity = 700_000
    _ = link.run(seconds: 2)
    #expect(link.estimator.estimate < 1_000_000)
    let estimates = link.run(seconds: 30)
    #expect((estimates.last ?? 0) > 0.7 * 700_000)
  }

  @Test func `heavy loss lowers the estimate, and the estimate recovers`() {
    var link = Link()
    link.capacity = 2_000_000
    _ = link.run(seconds: 20)
    let before = link.estimator.estimate
    link.loss = 0.3
    _ = link.run(seconds: 5)
    #expect(link.estimator.estimate < before * 6 / 10)
    link.loss = 0
    _ = link.run(seconds: 30)
    #expect(Double(link.estimator.estimate) > 0.8 * 2_000_000)
  }

  @Test func `a little loss does not change the estimate`() {
    var link = Link()
    link.loss = 0.05
    link.capacity = 10_000_000
    let estimates = link.run(seconds: 20)
    let start = Double(DownlinkEstimatorParameters().start)
    #expect(estimates.allSatisfy { $0 == start })
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `a link that always loses 5 %, and bursts, keeps the large layer`(seed: UInt64) {
    #expect(lowestEstimate(DownlinkEstimatorParameters(), seed: seed) >= 450_000)
    // If single reports lowered the estimate, the link would lose the large layer.
    var rules = DownlinkEstimatorParameters()
    rules.lossWeight = 1
    #expect(lowestEstimate(rules, seed: seed) < 450_000)
  }

  /// Returns the lowest estimate within ten minutes of packet loss, in bit/s. The camera has two
  /// layers: 150 and 450 kbit/s.
  private func lowestEstimate(_ rules: DownlinkEstimatorParameters, seed: UInt64) -> Int {
    var link = Link()
    var loss = BurstLoss(seed: seed)
    link.estimator = DownlinkEstimator(rules, at: link.now)
    link.capacity = 10_000_000
    link.demand = { $0 >= 450_000 ? 450_000 : $0 >= 150_000 ? 150_000 : 0 }
    var lowest = Int.max
    for _ in 0..<600 {
      // A report describes the packets of one second.
      let packets = max(link.demand(link.estimator.estimate) / 8_000, 1)
      let lost = (0..<packets).count { _ in loss.takesNext() }
      link.loss = Double(lost) / Double(packets)
      link.wantsMore = link.estimator.estimate < 600_000
      lowest = min(lowest, Int(link.run(seconds: 1).min() ?? 0))
    }
    return lowest
  }

  @Test func `the estimate of an unused link rises only with probes`() {
    var link = Link()
    link.capacity = 10_000_000
    link.demand = { _ in 300_000 }
    link.wantsMore = false
    _ = link.run(seconds: 20)
    #expect(link.estimator.estimate == DownlinkEstimatorParameters().start)
    link.wantsMore = true
    _ = link.run(seconds: 20)
    #expect(link.estimator.estimate > 6_000_000)
  }

  @Test func `probes of a full link fail and become rarer`() {
    var link = Link()
    link.capacity = 1_000_000
    // Here, the highest layer below the estimate has a bitrate far below the estimate.
    link.demand = { $0 < 2_000_000 ? 700_000 : 2_000_000 }
    _ = link.run(seconds: 20)
    let estimates = link.run(seconds: 60)
    #expect((estimates.max() ?? 0) < 2_000_000)
    #expect((estimates.min() ?? 0) > 600_000)
  }

  @Test func `the estimate stays within its bounds`() {
    var link = Link()
    link.capacity = 10_000
    _ = link.run(seconds: 60)
    #expect(link.estimator.estimate == DownlinkEstimatorParameters().floor)
    link.capacity = 1_000_000_000
    link.demand = { $0 * 2 }
    _ = link.run(seconds: 120)
    #expect(link.estimator.estimate == DownlinkEstimatorParameters().cap)
  }

  @Test func `the estimate rises even while no video is sent`() {
    var link = Link()
    link.capacity = 10_000
    _ = link.run(seconds: 60)
    link.capacity = 1_000_000
    link.demand = { $0 > 200_000 ? 150_000 : 0 }
    _ = link.run(seconds: 20)
    #expect(link.estimator.estimate > 200_000)
  }

  @Test func `the receiver's own estimate limits the estimate of the link`() {
    var link = Link()
    link.estimator.limit(to: 500_000)
    #expect(link.estimator.estimate == 500_000)
    link.estimator.limit(to: 0)
    #expect(link.estimator.estimate == DownlinkEstimatorParameters().floor)
  }

  @Test func `the link reports its estimate after changes and about once a second`() {
    let link = ReceiverLink(VideoForwardingParameters(), at: MonotonicTime(microseconds: 0))
    var told: [Int] = []
    for step in 1...100 {
      let now = MonotonicTime(microseconds: Int64(step) * 100_000)
      link.advance(to: now, LinkDemand(goal: .max))
      let report = link.takeChange(waiting: 0, starved: [], stalled: [], at: now)
      if let report { told.append(report.bitsPerSecond) }
    }
    #expect((10...40).contains(told.count))
    #expect(zip(told, told.dropFirst()).allSatisfy { $0 <= $1 })
  }
}
