import RTP
import TestSupport

/// A sender with layers, and its receiver, which acknowledges arrivals. Sender and receiver act
/// according to a seed and without a clock. Together with a link, the sender and the receiver are
/// the environment of an estimator.
struct SimulatedSender {
  struct Packet {
    var ssrc: UInt32
    var bytes: Int
    var sequence: UInt16 = 0
    var at: Int64 = 0
  }

  /// The rates of the combinations of layers, in bit/s.
  var ladder: [Double]

  /// The rate of the selected combination, in bit/s.
  private(set) var layer: Double

  private(set) var estimator = FeedbackEstimator(at: MonotonicTime(microseconds: 0))

  private var log = SentLog()
  private var feedbackReader = CongestionFeedbackReader()
  private var report = ArrivalReport()
  private var arrivals = ArrivalLog()
  private var feedbacks: [(at: Int64, bytes: [UInt8])] = []
  private var waiting: [Packet] = []
  private var waitingBytes = 0
  private var sequences: [UInt32: UInt16] = [:]
  private var usable: Double?
  private var rising: (since: Int64, lowest: Double)?
  private var needsKeyFrame = true
  private var arrived = 0
  private var resumes: Int64 = 0
  private var numbers: SeededGenerator

  /// The rate of the sound, in bit/s.
  private static let sound = 40e3
  private static let (audio, video, padding): (UInt32, UInt32, UInt32) = (9, 1, 7)

  init(seed: UInt64, ladder: [Double]) {
    numbers = SeededGenerator(seed: seed)
    self.ladder = ladder
    layer = ladder.last ?? 0
  }

  // MARK: Sending

  mutating func speak(at now: Int64, emit: (Packet) -> Void) {
    send(Packet(ssrc: Self.audio, bytes: 100), at: now, emit: emit)
  }

  mutating func film() {
    var size = layer / 8 / 15 * .random(in: 0.7...1.25, using: &numbers)
    if needsKeyFrame { size *= 3 }
    needsKeyFrame = false
    while size > 0 {
      waiting.append(Packet(ssrc: Self.video, bytes: max(50, Int(min(size, 1_200)))))
      waitingBytes += waiting[waiting.count - 1].bytes
      size -= 1_200
    }
  }

  mutating func pump(at now: Int64, emit: (Packet) -> Void) {
    var count = 0
    while count < waiting.count, log.hasRoom(for: waiting[count].bytes, in: estimator.window) {
      waitingBytes -= waiting[count].bytes
      send(waiting[count], at: now, emit: emit)
      count += 1
    }
    waiting.removeFirst(count)
  }

  private mutating func send(_ packet: Packet, at now: Int64, emit: (Packet) -> Void) {
    var packet = packet
    packet.sequence = sequences[packet.ssrc, default: 0]
    packet.at = now
    sequences[packet.ssrc] = packet.sequence &+ 1
    let time = MonotonicTime(microseconds: now)
    log.send(packet.ssrc, SequenceNumber(packet.sequence), bytes: packet.bytes, at: time)
    estimator.send(packet.bytes, at: time)
    emit(packet)
  }

  mutating func tick(at now: Int64, emit: (Packet) -> Void) {
    let isLowered = layer < ladder.last ?? 0
    let time = MonotonicTime(microseconds: now)
    estimator.advance(
      to: time,
      LinkDemand(
        goal: isLowered ? .max : Int(layer * 1.25 + Self.sound),
        isBacklogged: !waiting.isEmpty, bytesInFlight: log.bytesInFlight))
    var bytes = waiting.isEmpty ? estimator.takePadding(at: time) : 0
    while bytes > 0 {
      send(Packet(ssrc: Self.padding, bytes: 267), at: now, emit: emit)
      bytes -= 267
    }
    // When too much data waits, the sender drops whole frames.
    guard waitingBytes * 8_000 > estimator.bitsPerSecond * (estimator.isKnown ? 400 : 1_000) else {
      return
    }
    (waiting, waitingBytes, needsKeyFrame) = ([], 0, true)
  }

  /// Chooses a layer.
  mutating func decide(at now: Int64) {
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
    if wanted != layer { needsKeyFrame = true }
    layer = wanted
  }

  // MARK: Receiving

  /// Stalls the receiver until this time. Processes on a busy machine stall in this way.
  mutating func standStill(until time: Int64) { resumes = time }

  func isReceiving(at now: Int64) -> Bool { now >= resumes }

  mutating func receive(_ packet: Packet, at now: Int64) {
    arrivals.receive(
      packet.ssrc, SequenceNumber(packet.sequence), at: MonotonicTime(microseconds: now))
    if packet.ssrc == Self.video { arrived += packet.bytes }
  }

  mutating func acknowledge(at now: Int64, after delay: Int64) {
    guard isReceiving(at: now) else { return }
    var writer = RTCPWriter()
    arrivals.takeFeedback(
      sender: 5, at: MonotonicTime(microseconds: now), within: 1_400, into: &writer)
    if !writer.isEmpty { feedbacks.append((now + delay, writer.bytes)) }
  }

  /// Processes the feedback that has arrived.
  mutating func hear(at now: Int64, emit: (Packet) -> Void) {
    while let first = feedbacks.first, first.at <= now {
      feedbacks.removeFirst()
      var reader = RTCPReader()
      guard case .congestionFeedback(let feedback)? = reader.next(in: first.bytes.span) else {
        continue
      }
      feedbackReader.read(feedback, in: first.bytes.span, into: &report)
      estimator.take(
        report, of: &log, isBacklogged: !waiting.isEmpty, at: MonotonicTime(microseconds: now))
      pump(at: now, emit: emit)
    }
  }

  /// Returns the bytes of video that arrived since the last call.
  mutating func takeArrived() -> Int {
    defer { arrived = 0 }
    return arrived
  }
}
