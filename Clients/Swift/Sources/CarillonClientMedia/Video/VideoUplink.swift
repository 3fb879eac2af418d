internal import RTP

/// The way of a session's video up to media: how much it carries, what is under way on it, and what
/// waits.
///
/// Media says when each packet came (RFC 8888); before it has said anything packets leave as they
/// come. From then on no more is under way than the link holds and a tenth of a second: the rest
/// waits here, where sound overtakes it, and frames are left out before they are encoded when it
/// becomes too much.
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

  /// What may wait before frames are left out, as time at the estimate, in milliseconds.
  private static let longestWaitMs = 120

  /// What of the estimate video is made for: key frames need room above the mean.
  private static let usedPercent = 90

  /// What the uplink carries, in bits per second; `nil`: not known.
  var bitsPerSecond: Int? {
    guard let estimator, estimator.isKnown else { return nil }
    return estimator.bitsPerSecond
  }

  /// What video may be made for, in bits per second; `nil`: not known.
  var budget: Int? { bitsPerSecond.map { $0 * Self.usedPercent / 100 } }

  /// So much waits that frames are to be left out.
  var isCongested: Bool {
    guard let estimator else { return false }
    return waitingBytes * 8_000 > estimator.bitsPerSecond * Self.longestWaitMs
  }

  /// Whether nothing waits.
  var isIdle: Bool { waitingBytes == 0 }

  /// A packet is to go up: now, or when there is room.
  mutating func send(
    _ packet: Span<UInt8>, _ ssrc: UInt32, _ sequence: SequenceNumber, at now: MediaTime,
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

  /// Sends what waits, as far as there is room.
  mutating func sendWaiting(at now: MediaTime, emit: (Span<UInt8>) -> Void) {
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
    _ ssrc: UInt32, _ sequence: SequenceNumber, _ bytes: Int, at now: MediaTime
  ) {
    estimator?.send(bytes, at: now)
    log.send(ssrc, sequence, bytes: bytes, at: now)
  }

  /// Media says what came.
  mutating func receive(_ feedback: CongestionFeedback, in bytes: Span<UInt8>, at now: MediaTime) {
    feedbackReader.read(feedback, in: bytes, into: &report)
    var estimator = estimator ?? FeedbackEstimator(at: now)
    estimator.take(report, of: &log, isBacklogged: !isIdle, at: now)
    self.estimator = estimator
  }

  /// Time passes.
  ///
  /// - Parameter wanted: What would be sent if the link carried it, in bits per second.
  /// - Returns: Bytes of padding to send.
  mutating func advance(to now: MediaTime, wanted: Int) -> Int {
    guard estimator != nil else { return 0 }
    let demand = LinkDemand(
      goal: wanted * 5 / 4, isBacklogged: !isIdle, bytesInFlight: log.bytesInFlight)
    estimator?.advance(to: now, demand)
    return isIdle && wanted > 0 ? estimator?.takePadding(at: now) ?? 0 : 0
  }
}
