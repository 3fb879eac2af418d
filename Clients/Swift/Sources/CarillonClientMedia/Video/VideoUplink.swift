internal import RTP

/// The congestion-controlled uplink of a session's video: its rate, its packets in flight, and its
/// backlog.
///
/// `media` reports when each packet arrived (RFC 8888). Before the first report, the uplink sends
/// packets without a limit. After the first report, the uplink limits the packets in flight to the
/// link's capacity over a round trip plus about 0.1 s. All other packets wait in the backlog, and
/// the session sends audio before these packets. When the backlog is too long, the session drops
/// frames before encoding.
struct VideoUplink: Sendable {
  private struct Packet: Sendable {
    let ssrc: UInt32
    let sequence: SequenceNumber
    let bytes: [UInt8]
  }

  private var estimator: FeedbackEstimator?
  private var log = SentLog()
  private var feedbackReader = CongestionFeedbackReader()
  private var report = ArrivalReport()
  private var waiting: [Packet] = []
  private var first = 0
  private var waitingBytes = 0

  /// The smallest backlog at which the session drops frames, in milliseconds at the estimated rate.
  private static let longestWaitMs = 120

  /// The share of the estimated uplink rate that video may use, in per cent. The rest is for key
  /// frames, which exceed the mean rate.
  private static let usedPercent = 90

  /// The estimated rate of the uplink, in bit/s; `nil` while unknown.
  var bitsPerSecond: Int? {
    guard let estimator, estimator.isKnown else { return nil }
    return estimator.bitsPerSecond
  }

  /// The rate that video may use, in bit/s; `nil` while unknown.
  var budget: Int? { bitsPerSecond.map { $0 * Self.usedPercent / 100 } }

  /// Whether the backlog is so long that the session must drop frames.
  var isCongested: Bool {
    guard let estimator else { return false }
    return waitingBytes * 8_000 > estimator.bitsPerSecond * Self.longestWaitMs
  }

  /// Whether no packet waits.
  var isIdle: Bool { waitingBytes == 0 }

  /// Sends a packet now, or queues the packet until the limit of packets in flight permits the
  /// packet.
  mutating func send(
    _ packet: Span<UInt8>, _ ssrc: UInt32, _ sequence: SequenceNumber, at now: MonotonicTime,
    emit: (Span<UInt8>) -> Void
  ) {
    guard isIdle, hasRoom(for: packet.count) else {
      var bytes: [UInt8] = []
      bytes.append(copying: packet)
      waiting.append(Packet(ssrc: ssrc, sequence: sequence, bytes: bytes))
      waitingBytes += bytes.count
      return
    }
    note(ssrc, sequence, packet.count, at: now)
    emit(packet)
  }

  /// Sends waiting packets while the limit of packets in flight permits them.
  mutating func sendWaiting(at now: MonotonicTime, emit: (Span<UInt8>) -> Void) {
    log.expire(at: now)
    while first < waiting.count, hasRoom(for: waiting[first].bytes.count) {
      let packet = waiting[first]
      first += 1
      waitingBytes -= packet.bytes.count
      note(packet.ssrc, packet.sequence, packet.bytes.count, at: now)
      emit(packet.bytes.span)
    }
    if first == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      first = 0
    }
  }

  private func hasRoom(for bytes: Int) -> Bool {
    guard let estimator else { return true }
    return log.hasRoom(for: bytes, in: estimator.window)
  }

  private mutating func note(
    _ ssrc: UInt32, _ sequence: SequenceNumber, _ bytes: Int, at now: MonotonicTime
  ) {
    estimator?.send(bytes, at: now)
    log.send(ssrc, sequence, bytes: bytes, at: now)
  }

  /// Handles the feedback of `media` about the arrival of packets.
  mutating func receive(
    _ feedback: CongestionFeedback, in bytes: Span<UInt8>, at now: MonotonicTime
  ) {
    feedbackReader.read(feedback, in: bytes, into: &report)
    var estimator = estimator ?? FeedbackEstimator(at: now)
    estimator.take(report, of: &log, isBacklogged: !isIdle, at: now)
    self.estimator = estimator
  }

  /// Advances the estimate to `now`.
  ///
  /// - Parameter wanted: The rate that video would use on an unlimited link, in bit/s.
  /// - Returns: The number of bytes of padding to send.
  mutating func advance(to now: MonotonicTime, wanted: Int) -> Int {
    guard estimator != nil else { return 0 }
    let demand = LinkDemand(
      goal: wanted * 5 / 4, isBacklogged: !isIdle, bytesInFlight: log.bytesInFlight)
    estimator?.advance(to: now, demand)
    return isIdle && wanted > 0 ? estimator?.takePadding(at: now) ?? 0 : 0
  }
}
