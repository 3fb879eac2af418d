import RTP
import TestSupport

/// A link with a queue before it, and one sender or several that share it.
struct SimulatedLink {
  /// What one tenth of a second was like for a sender.
  struct Sample {
    var time: Double
    var capacity: Double
    var estimate: Double
    /// How long packets of any sender waited at most, in milliseconds.
    var waitMs: Double
    /// What is sent by what was decided, and the bits that arrived in a second of it.
    var layer: Double
    var arrived: Double
  }

  private struct Sent {
    var sender: Int
    var packet: SimulatedSender.Packet
  }

  /// What may be sent together, in bits per second.
  static let ladder = [
    100e3, 200e3, 300e3, 450e3, 600e3, 800e3, 1_000e3, 1_300e3, 1_600e3,
  ]

  var capacity: (Double) -> Double
  var delay: Int64 = 20_000
  var jitter: Int64 = 0
  /// How long receivers stand still now and then at most, as processes do on a busy machine.
  var longestStall: Int64 = 0

  /// By sender.
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
  ///   - count: How many senders share it.
  ///   - capacity: In bits per second, by the time in seconds.
  init(seed: UInt64, senders count: Int = 1, capacity: @escaping (Double) -> Double) {
    numbers = SeededGenerator(seed: seed)
    self.capacity = capacity
    senders = (0..<UInt64(count)).map {
      SimulatedSender(seed: seed &* 1_000 &+ $0, ladder: Self.ladder)
    }
    allSamples = Array(repeating: [], count: count)
  }

  /// Those of the first sender.
  var samples: [Sample] { allSamples[0] }

  /// Goes on until so many seconds have passed since the beginning.
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

  /// Senders do not do the same at the same time.
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
    // What one receiver does not take now keeps nobody else's waiting.
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
