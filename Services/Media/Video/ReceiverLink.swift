import RTP

/// The link to one receiver of video: what it carries, what is under way on it, and what was told
/// of it.
///
/// It begins with a ``DownlinkEstimator``. With the first congestion control feedback, which a
/// client sends or does not, a `FeedbackEstimator` takes its place, and what may be under way is
/// bounded from then on.
struct ReceiverLink: Sendable {
  private(set) var estimator: any LinkEstimator
  private var log = SentLog()

  /// Whether the receiver sends feedback.
  private(set) var isAcknowledged = false

  /// Without feedback: so many bytes wait at the connection that it is sent no more for now.
  private var isBehind = false

  /// Bytes of video and of audio that were sent.
  private var video = RateMeter()
  private var audio = RateMeter()
  private var told: (report: DownlinkReport, at: MediaTime)?

  /// What may wait at the connection of a receiver that sends no feedback, as time at the estimate.
  private static let longestHeld: Int64 = 100_000

  init(_ rules: VideoRules, at now: MediaTime) {
    estimator = DownlinkEstimator(rules.downlink, at: now)
  }

  /// What the link carries for video: what its audio takes is off.
  mutating func estimate(at now: MediaTime) -> Int {
    max(estimator.bitsPerSecond - audio.perSecond(at: now) * 8, estimator.bitsPerSecond / 4)
  }

  /// What of it audio takes.
  mutating func audioBitsPerSecond(at now: MediaTime) -> Int { audio.perSecond(at: now) * 8 }

  /// Bytes that are under way, as far as that is known.
  var bytesInFlight: Int { log.bytesInFlight }

  /// Whether so many bytes may be sent now.
  func hasRoom(for bytes: Int) -> Bool {
    isAcknowledged ? log.hasRoom(for: bytes, in: estimator.window) : !isBehind
  }

  /// Nothing of what was sent has come for so long, as far as the receiver says.
  func isSilent(for duration: Duration, at now: MediaTime) -> Bool {
    isAcknowledged && log.isSilent(for: duration, at: now)
  }

  /// A packet of video, or of padding, is handed to the connection.
  mutating func sendVideo(
    _ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MediaTime
  ) {
    video.add(bytes, at: now)
    estimator.send(bytes, at: now)
    if isAcknowledged { log.send(ssrc, sequence, bytes: bytes, at: now) }
  }

  /// A packet of audio is.
  mutating func sendAudio(
    _ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MediaTime
  ) {
    guard isAcknowledged else { return }
    audio.add(bytes, at: now)
    estimator.send(bytes, at: now)
    log.send(ssrc, sequence, bytes: bytes, at: now)
  }

  /// The receiver says what came.
  mutating func receive(
    _ feedback: CongestionFeedback, in bytes: Span<UInt8>, isBacklogged: Bool, _ rules: VideoRules,
    at now: MediaTime
  ) {
    if !isAcknowledged {
      isAcknowledged = true
      estimator = FeedbackEstimator(rules.feedback, at: now)
    }
    var estimator = estimator
    let outcome = log.receive(feedback, in: bytes, at: now) { estimator.take($0, at: now) }
    estimator.conclude(outcome, isBacklogged: isBacklogged, at: now)
    self.estimator = estimator
  }

  /// So many bytes wait at the connection.
  mutating func measure(backlog bytes: Int, at now: MediaTime) {
    estimator.measure(backlog: bytes, at: now)
    isBehind = Int64(bytes) * 8_000_000 / Int64(estimator.bitsPerSecond) > Self.longestHeld
  }

  mutating func report(lossFraction: Double, roundTrip: Int64?, at now: MediaTime) {
    estimator.report(lossFraction: lossFraction, roundTrip: roundTrip, at: now)
  }

  mutating func limit(to bitsPerSecond: UInt64) { estimator.limit(to: bitsPerSecond) }

  mutating func advance(to now: MediaTime, _ demand: LinkDemand) {
    log.expire(at: now)
    estimator.advance(to: now, demand)
  }

  mutating func takePadding(at now: MediaTime) -> Int { estimator.takePadding(at: now) }

  /// What to tell, when it is news: an estimate that moved by a twentieth or more, or other tiles
  /// that starve or stall; and once a second.
  ///
  /// - Parameter waiting: Bytes that wait for room.
  mutating func takeChange(
    waiting: Int, starved: [UInt32], stalled: [UInt32], at now: MediaTime
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
