import RTP
import TestSupport

/// A link with a queue, shared by one or more senders.
struct SimulatedLink {
  /// The measurements of 0.1 s for one sender.
  struct Sample {
    var time: Double
    var capacity: Double
    var estimate: Double
    /// The longest wait of any sender's packets, in milliseconds.
    var waitMs: Double
    /// The rate of the selected layer, and the bits that arrived, both per second.
    var layer: Double
    var arrived: Double
  }

  private struct Sent {
    var sender: Int
    var packet: SimulatedSender.Packet
  }

  /// The rates of the combinations of layers, in bit/s.
  static let ladder = [
    100e3, 200e3, 300e3, 450e3, 600e3, 800e3, 1_000e3, 1_300e3, 1_600e3,
  ]

  var capacity: (Double) -> Double
  var delay: Int64 = 20_000
  var jitter: Int64 = 0
  /// The longest stall of a receiver. Processes on a busy machine stall in this way.
  var longestStall: Int64 = 0

  /// The samples of each sender.
  private(set) var allSamples: [[Sample]]

  private var numbers: SeededGenerator
  private var senders: [SimulatedSender]
  private var now: Int64 = 0
  private var link: [Sent] = []
  private var flying: [(at: Int64, sent: Sent)] = []
  private var credit = 0.0
  private var lastArrival: Int64 = 0
  private var longestWait = 0.0

  /// - Parameters:
  ///   - count: The number of senders.
  ///   - capacity: The rate in bit/s as a function of the time in seconds.
  init(seed: UInt64, senders count: Int = 1, capacity: @escaping (Double) -> Double) {
    numbers = SeededGenerator(seed: seed)
    self.capacity = capacity
    senders = (0..<UInt64(count)).map {
      SimulatedSender(seed: seed &* 1_000 &+ $0, ladder: Self.ladder)
    }
    allSamples = Array(repeating: [], count: count)
  }

  /// The samples of the first sender.
  var samples: [Sample] { allSamples[0] }

  /// Advances the time until `seconds` seconds after the start.
  mutating func run(seconds: Double) {
    let step: Int64 = 2_000
    while Double(now) < seconds * 1e6 {
      now += step
      for index in senders.indices { send(index) }
      carry(step)
      for index in senders.indices { receive(index) }
      if now % 100_000 == 0 { sample() }
    }
  }

  /// Returns whether a sender acts now. The senders act at different times.
  private func isTime(_ period: Int64, of sender: Int) -> Bool {
    (now + Int64(sender) * 14_000) % period == 0
  }

  private mutating func send(_ index: Int) {
    var emitted: [SimulatedSender.Packet] = []
    if isTime(20_000, of: index) { senders[index].speak(at: now) { emitted.append($0) } }
    if isTime(66_000, of: index) { senders[index].film() }
    senders[index].pump(at: now) { emitted.append($0) }
    link += emitted.map { Sent(sender: index, packet: $0) }
  }

  private mutating func carry(_ step: Int64) {
    if link.isEmpty { credit = 0 }
    credit += capacity(Double(now) / 1e6) / 8e6 * Double(step)
    var count = 0
    while count < link.count, credit >= Double(link[count].packet.bytes) {
      credit -= Double(link[count].packet.bytes)
      let late = delay + Int64(.random(in: 0...1, using: &numbers) * Double(jitter))
      lastArrival = max(lastArrival, now + late)
      flying.append((lastArrival, link[count]))
      longestWait = max(longestWait, Double(now - link[count].packet.at) / 1_000)
      count += 1
    }
    link.removeFirst(count)
    // Packets that one receiver has not read yet do not delay the packets of other receivers.
    flying.removeAll { at, sent in
      guard at <= now, senders[sent.sender].isReceiving(at: now) else { return false }
      senders[sent.sender].receive(sent.packet, at: now)
      return true
    }
  }

  private mutating func receive(_ index: Int) {
    var emitted: [SimulatedSender.Packet] = []
    if isTime(50_000, of: index) { senders[index].acknowledge(at: now, after: delay) }
    senders[index].hear(at: now) { emitted.append($0) }
    if isTime(20_000, of: index) { senders[index].tick(at: now) { emitted.append($0) } }
    if longestStall > 0, isTime(100_000, of: index), Int.random(in: 0..<5, using: &numbers) == 0 {
      senders[index].standStill(until: now + .random(in: 0...longestStall, using: &numbers))
    }
    if isTime(200_000, of: index) { senders[index].decide(at: now) }
    link += emitted.map { Sent(sender: index, packet: $0) }
  }

  private mutating func sample() {
    let seconds = Double(now) / 1e6
    for index in senders.indices {
      allSamples[index].append(
        Sample(
          time: seconds, capacity: capacity(seconds),
          estimate: Double(senders[index].estimator.bitsPerSecond), waitMs: longestWait,
          layer: senders[index].layer, arrived: Double(senders[index].takeArrived()) * 80))
    }
    longestWait = 0
  }
}
