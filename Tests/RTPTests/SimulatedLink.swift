import RTP
import TestSupport

/// A sender with layers, a link with a queue before it, and a receiver that acknowledges: all that
/// an estimator has to do with, from a seed and without a clock.
struct SimulatedLink {
  /// What one tenth of a second was like.
  struct Sample {
    var time: Double
    var capacity: Double
    var estimate: Double
    /// How long a packet that came now would wait, in milliseconds.
    var waitMs: Double
    /// What is sent by what was decided, and the bits that arrived in a second of it.
    var layer: Double
    var arrived: Double
  }

  private struct Packet {
    var ssrc: UInt32
    var bytes: Int
    var sequence: UInt16 = 0
    var at: Int64 = 0
  }

  var capacity: (Double) -> Double
  var delay: Int64 = 20_000
  var jitter: Int64 = 0
  /// How long either side stands still now and then at most, as processes do on a busy machine.
  var longestStall: Int64 = 0
  /// What may be sent together, in bits per second.
  var ladder: [Double] = [100e3, 200e3, 300e3, 450e3, 600e3, 800e3, 1_000e3, 1_300e3, 1_600e3]
  private(set) var samples: [Sample] = []

  private var numbers: SeededGenerator
  private var estimator = FeedbackEstimator(at: MediaTime(microseconds: 0))
  private var log = SentLog()
  private var arrivals = ArrivalLog()
  private var now: Int64 = 0
  private var link: [Packet] = []
  private var flying: [(at: Int64, packet: Packet)] = []
  private var feedbacks: [(at: Int64, bytes: [UInt8])] = []
  private var waiting: [Packet] = []
  private var waitingBytes = 0
  private var sequences: [UInt32: UInt16] = [:]
  private var credit = 0.0
  private var lastArrival: Int64 = 0
  private var usable: Double?
  private var rising: (since: Int64, lowest: Double)?
  private var needsKeyFrame = true
  private var arrived = 0
  private var longestWait = 0.0
  private var receiverResumes: Int64 = 0
  private var current = 0.0

  /// What sound takes, in bits per second.
  private static let sound = 40e3
  private static let (audio, video, padding): (UInt32, UInt32, UInt32) = (9, 1, 7)

  init(seed: UInt64, capacity: @escaping (Double) -> Double) {
    numbers = SeededGenerator(seed: seed)
    self.capacity = capacity
  }

  /// Goes on until so many seconds have passed since the beginning.
  mutating func run(seconds: Double) {
    if now == 0 { current = ladder.last ?? 0 }
    let step: Int64 = 2_000
    while Double(now) < seconds * 1e6 {
      now += step
      if now % 20_000 == 0 { send(Packet(ssrc: Self.audio, bytes: 100)) }
      if now % 66_000 == 0 { film() }
      pump()
      carry(step)
      if now % 50_000 == 0 { acknowledge() }
      while let first = feedbacks.first, first.at <= now {
        feedbacks.removeFirst()
        hear(first.bytes)
      }
      if now % 20_000 == 0 { tick() }
      if longestStall > 0, now % 100_000 == 0 { stall() }
      if now % 200_000 == 0 { decide() }
      if now % 100_000 == 0 { sample() }
    }
  }

  private var time: MediaTime { MediaTime(microseconds: now) }

  private mutating func film() {
    var size = current / 8 / 15 * .random(in: 0.7...1.25, using: &numbers)
    if needsKeyFrame { size *= 3 }
    needsKeyFrame = false
    while size > 0 {
      waiting.append(Packet(ssrc: Self.video, bytes: max(50, Int(min(size, 1_200)))))
      waitingBytes += waiting[waiting.count - 1].bytes
      size -= 1_200
    }
  }

  private mutating func send(_ packet: Packet) {
    var packet = packet
    packet.sequence = sequences[packet.ssrc, default: 0]
    packet.at = now
    sequences[packet.ssrc] = packet.sequence &+ 1
    log.send(packet.ssrc, SequenceNumber(packet.sequence), bytes: packet.bytes, at: time)
    estimator.send(packet.bytes, at: time)
    link.append(packet)
  }

  private mutating func pump() {
    var count = 0
    while count < waiting.count, log.hasRoom(for: waiting[count].bytes, in: estimator.window) {
      waitingBytes -= waiting[count].bytes
      send(waiting[count])
      count += 1
    }
    waiting.removeFirst(count)
  }

  private mutating func carry(_ step: Int64) {
    let capacity = capacity(Double(now) / 1e6)
    if link.isEmpty { credit = 0 }
    credit += capacity / 8e6 * Double(step)
    var count = 0
    while count < link.count, credit >= Double(link[count].bytes) {
      credit -= Double(link[count].bytes)
      let late = delay + Int64(.random(in: 0...1, using: &numbers) * Double(jitter))
      lastArrival = max(lastArrival, now + late)
      flying.append((lastArrival, link[count]))
      longestWait = max(longestWait, Double(now - link[count].at) / 1_000)
      count += 1
    }
    link.removeFirst(count)
    count = 0
    while count < flying.count, flying[count].at <= now, now >= receiverResumes {
      let packet = flying[count].packet
      arrivals.receive(packet.ssrc, SequenceNumber(packet.sequence), at: time)
      if packet.ssrc == Self.video { arrived += packet.bytes }
      count += 1
    }
    flying.removeFirst(count)
  }

  private mutating func stall() {
    if Int.random(in: 0..<5, using: &numbers) == 0 {
      receiverResumes = now + .random(in: 0...longestStall, using: &numbers)
    }
  }

  private mutating func acknowledge() {
    guard now >= receiverResumes else { return }
    var writer = RTCPWriter()
    arrivals.takeFeedback(sender: 5, at: time, within: 1_400, into: &writer)
    if !writer.isEmpty { feedbacks.append((now + delay, writer.bytes)) }
  }

  private mutating func hear(_ bytes: [UInt8]) {
    var reader = RTCPReader()
    guard case .congestionFeedback(let feedback)? = reader.next(in: bytes.span) else { return }
    var estimator = estimator
    let time = time
    let outcome = log.receive(feedback, in: bytes.span, at: time) { estimator.take($0, at: time) }
    estimator.conclude(outcome, isBacklogged: !waiting.isEmpty, at: time)
    self.estimator = estimator
    pump()
  }

  private mutating func tick() {
    let isLowered = current < ladder.last ?? 0
    estimator.advance(
      to: time,
      LinkDemand(
        goal: isLowered ? .max : Int(current * 1.25 + Self.sound),
        isBacklogged: !waiting.isEmpty, bytesInFlight: log.bytesInFlight))
    var bytes = waiting.isEmpty ? estimator.takePadding(at: time) : 0
    while bytes > 0 {
      send(Packet(ssrc: Self.padding, bytes: 267))
      bytes -= 267
    }
    // Whole frames are left out when too much waits.
    guard waitingBytes * 8_000 > estimator.bitsPerSecond * (estimator.isKnown ? 400 : 1_000) else {
      return
    }
    (waiting, waitingBytes, needsKeyFrame) = ([], 0, true)
  }

  private mutating func decide() {
    guard estimator.isKnown else { return }
    let estimate = Double(estimator.bitsPerSecond) - Self.sound
    if usable.map({ estimate < $0 }) ?? true {
      (usable, rising) = (estimate, nil)
    } else if let usable, estimate > usable * 1.1 {
      let since = rising?.since ?? now
      rising = (since, min(rising?.lowest ?? estimate, estimate))
      if now - since >= 400_000 { (self.usable, rising) = (rising?.lowest, nil) }
    } else {
      rising = nil
    }
    let wanted = ladder.last { $0 <= usable ?? .infinity } ?? 0
    if wanted != current { needsKeyFrame = true }
    current = wanted
  }

  private mutating func sample() {
    let seconds = Double(now) / 1e6
    samples.append(
      Sample(
        time: seconds, capacity: capacity(seconds), estimate: Double(estimator.bitsPerSecond),
        waitMs: longestWait, layer: current, arrived: Double(arrived) * 80))
    (arrived, longestWait) = (0, 0)
  }
}
