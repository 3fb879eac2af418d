import RTP

/// The measurements of one connection to a client: the estimate, the packets in flight, and the
/// last report.
///
/// The measurements take about 2 KB, so a ``ReceiverLink`` creates this object only when it needs
/// the measurements.
final class LinkMeasurements {
  private let rules: LinkEstimateParameters
  private(set) var estimator: any LinkEstimator
  private var log = SentLog()

  /// The reader of the receiver's feedback. The reader writes into `arrivals`, and reuses the
  /// storage of `arrivals`.
  private var feedbackReader = CongestionFeedbackReader()
  private var transportReader = TransportFeedbackReader()
  private var arrivals = ArrivalReport()

  /// Whether the receiver sends feedback.
  private(set) var isAcknowledged = false

  /// Whether `media` sends nothing now, because the receiver sends no feedback and the backlog is
  /// too long.
  private var isBehind = false

  /// The rate of sent video, in bytes per second.
  private var video = RateMeter()
  private var audio = RateMeter()
  private var told: (report: DownlinkReport, at: MonotonicTime)?

  /// The maximum backlog of a receiver without feedback, in microseconds at the estimated bitrate.
  private static let longestHeld: Int64 = 100_000

  /// - Parameter now: When the connection opened.
  init(_ rules: LinkEstimateParameters, at now: MonotonicTime) {
    self.rules = rules
    estimator = DownlinkEstimator(rules.downlink, at: now)
  }

  /// Returns the estimated bandwidth available to video, in bit/s, after subtraction of audio.
  func estimate(at now: MonotonicTime) -> Int {
    max(estimator.bitsPerSecond - audio.perSecond(at: now) * 8, estimator.bitsPerSecond / 4)
  }

  func audioBitsPerSecond(at now: MonotonicTime) -> Int { audio.perSecond(at: now) * 8 }

  var bytesInFlight: Int { log.bytesInFlight }

  func hasRoom(for bytes: Int) -> Bool {
    isAcknowledged ? log.hasRoom(for: bytes, in: estimator.window) : !isBehind
  }

  func isSilent(for duration: Duration, at now: MonotonicTime) -> Bool {
    isAcknowledged && log.isSilent(for: duration, at: now)
  }

  // MARK: Sent packets

  func sendVideo(_ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MonotonicTime) {
    countVideo(bytes, at: now)
    if isAcknowledged { log.send(ssrc, sequence, bytes: bytes, at: now) }
  }

  /// Counts a packet of video that never appears in feedback.
  func countVideo(_ bytes: Int, at now: MonotonicTime) {
    video.add(bytes, at: now)
    estimator.send(bytes, at: now)
  }

  func sendAudio(_ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MonotonicTime) {
    countAudio(bytes, at: now)
    estimator.send(bytes, at: now)
    log.send(ssrc, sequence, bytes: bytes, at: now)
  }

  /// Counts a packet of audio that never appears in feedback.
  func countAudio(_ bytes: Int, at now: MonotonicTime) { audio.add(bytes, at: now) }

  // MARK: Reports of the receiver

  func receive(
    _ feedback: CongestionFeedback, in bytes: Span<UInt8>, isBacklogged: Bool, at now: MonotonicTime
  ) {
    feedbackReader.read(feedback, in: bytes, into: &arrivals)
    receive(arrivals, isBacklogged: isBacklogged, at: now)
  }

  func receive(
    _ feedback: TransportFeedback, in bytes: Span<UInt8>, isBacklogged: Bool, at now: MonotonicTime
  ) {
    transportReader.read(feedback, in: bytes, into: &arrivals)
    receive(arrivals, isBacklogged: isBacklogged, at: now)
  }

  func receive(_ report: ArrivalReport, isBacklogged: Bool, at now: MonotonicTime) {
    if !isAcknowledged {
      isAcknowledged = true
      estimator = FeedbackEstimator(rules.feedback, at: now)
    }
    estimator.take(report, of: &log, isBacklogged: isBacklogged, at: now)
  }

  func measure(backlog bytes: Int, at now: MonotonicTime) {
    estimator.measure(backlog: bytes, at: now)
    isBehind = Int64(bytes) * 8_000_000 / Int64(estimator.bitsPerSecond) > Self.longestHeld
  }

  func report(lossFraction: Double, roundTrip: Int64?, at now: MonotonicTime) {
    estimator.report(lossFraction: lossFraction, roundTrip: roundTrip, at: now)
  }

  func limit(to bitsPerSecond: UInt64) { estimator.limit(to: bitsPerSecond) }

  func advance(to now: MonotonicTime, _ demand: LinkDemand) {
    log.expire(at: now)
    estimator.advance(to: now, demand)
  }

  func takePadding(at now: MonotonicTime) -> Int { estimator.takePadding(at: now) }

  /// Returns a report once a second. Returns a report earlier if the estimate changed by at least 5
  /// %, or if the set of starved or stalled tiles changed since the last report.
  ///
  /// - Parameter waiting: The number of bytes that wait for room on the link.
  func takeChange(
    waiting: Int, starved: [UInt32], stalled: [UInt32], at now: MonotonicTime
  ) -> DownlinkReport? {
    guard estimator.isKnown else { return nil }
    let estimate = estimate(at: now)
    if let told, abs(estimate - told.report.bitsPerSecond) * 20 < told.report.bitsPerSecond,
      told.report.starvedTiles == starved, told.report.stalledTiles == stalled,
      now.microseconds(since: told.at) < 1_000_000
    {
      return nil
    }
    let report = DownlinkReport(
      bitsPerSecond: estimate, usedBitsPerSecond: video.perSecond(at: now) * 8,
      backlogMs: waiting * 8_000 / max(estimate, 1), starvedTiles: starved, stalledTiles: stalled)
    told = (report, now)
    return report
  }
}

/// The parameters of link estimates, which all links of a meeting share.
final class LinkEstimateParameters: Sendable {
  /// The parameters for links whose receivers send one report per second.
  let downlink: DownlinkEstimatorParameters

  /// The parameters for links whose receivers acknowledge each packet.
  let feedback: FeedbackEstimatorParameters

  init(_ rules: VideoForwardingParameters) {
    (downlink, feedback) = (rules.downlink, rules.feedback)
  }
}
