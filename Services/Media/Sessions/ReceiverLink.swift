import RTP

/// What is known of the link to one session's client: what it carries, what is under way on it, and
/// what was told of it. It belongs to the session; sound and video share it.
///
/// It begins with a ``DownlinkEstimator``. With the first report of arrivals, which a client sends
/// or does not, a `FeedbackEstimator` takes its place, and what may be under way is bounded from
/// then on.
final class ReceiverLink {
  private let rules: VideoRules

  /// What the link calls formats.
  private(set) var numbers = LinkNumbers.carillon
  private(set) var estimator: any LinkEstimator
  private var log = SentLog()

  /// Reads the receiver's feedback into the report, whose storage is used again.
  private var feedbackReader = CongestionFeedbackReader()
  private var transportReader = TransportFeedbackReader()

  /// Names the packets in the log, where the receiver does not name streams.
  private var transportNumbers: TransportNumbers?
  private var arrivals = ArrivalReport()

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
    self.rules = rules
    estimator = DownlinkEstimator(rules.downlink, at: now)
  }

  /// The client has another connection: nothing is under way on it, and nothing is known of it.
  func reset(
    at now: MediaTime, numbers: LinkNumbers, naming transportNumbers: TransportNumbers? = nil
  ) {
    (self.numbers, self.transportNumbers) = (numbers, transportNumbers)
    transportReader = TransportFeedbackReader()
    estimator = DownlinkEstimator(rules.downlink, at: now)
    (log, feedbackReader) = (SentLog(), CongestionFeedbackReader())
    (isAcknowledged, isBehind, told) = (false, false, nil)
    (video, audio) = (RateMeter(), RateMeter())
  }

  /// Client and media have agreed on other numbers, on the same connection.
  func renumber(_ numbers: LinkNumbers, naming transportNumbers: TransportNumbers?) {
    (self.numbers, self.transportNumbers) = (numbers, transportNumbers)
  }

  /// What the link carries for video: what its audio takes is off.
  func estimate(at now: MediaTime) -> Int {
    max(estimator.bitsPerSecond - audio.perSecond(at: now) * 8, estimator.bitsPerSecond / 4)
  }

  /// What of it audio takes.
  func audioBitsPerSecond(at now: MediaTime) -> Int { audio.perSecond(at: now) * 8 }

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
  func sendVideo(
    _ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MediaTime
  ) {
    video.add(bytes, at: now)
    estimator.send(bytes, at: now)
    if isAcknowledged { note(ssrc, sequence, bytes: bytes, at: now) }
  }

  private func note(
    _ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MediaTime
  ) {
    guard let transportNumbers else {
      return log.send(ssrc, sequence, bytes: bytes, at: now)
    }
    guard let number = transportNumbers.last else { return }
    log.send(TransportFeedbackReader.stream, number, bytes: bytes, at: now)
  }

  /// A packet of audio is.
  func sendAudio(
    _ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MediaTime
  ) {
    guard isAcknowledged else { return }
    audio.add(bytes, at: now)
    // What has no number is in no feedback.
    if let transportNumbers, transportNumbers.last == nil { return }
    estimator.send(bytes, at: now)
    note(ssrc, sequence, bytes: bytes, at: now)
  }

  /// The receiver acknowledged packets, as RFC 8888 has it.
  ///
  /// - Parameter isBacklogged: Packets wait because as much is under way as may be.
  func receive(
    _ feedback: CongestionFeedback, in bytes: Span<UInt8>, isBacklogged: Bool, at now: MediaTime
  ) {
    feedbackReader.read(feedback, in: bytes, into: &arrivals)
    receive(arrivals, isBacklogged: isBacklogged, at: now)
  }

  /// The receiver acknowledged packets by their numbers in the connection.
  func receive(
    _ feedback: TransportFeedback, in bytes: Span<UInt8>, isBacklogged: Bool, at now: MediaTime
  ) {
    transportReader.read(feedback, in: bytes, into: &arrivals)
    receive(arrivals, isBacklogged: isBacklogged, at: now)
  }

  /// The receiver reported arrivals. Clients that do so once are expected to go on.
  func receive(_ report: ArrivalReport, isBacklogged: Bool, at now: MediaTime) {
    if !isAcknowledged {
      isAcknowledged = true
      estimator = FeedbackEstimator(rules.feedback, at: now)
    }
    estimator.take(report, of: &log, isBacklogged: isBacklogged, at: now)
  }

  /// So many bytes wait at the connection.
  func measure(backlog bytes: Int, at now: MediaTime) {
    estimator.measure(backlog: bytes, at: now)
    isBehind = Int64(bytes) * 8_000_000 / Int64(estimator.bitsPerSecond) > Self.longestHeld
  }

  func report(lossFraction: Double, roundTrip: Int64?, at now: MediaTime) {
    estimator.report(lossFraction: lossFraction, roundTrip: roundTrip, at: now)
  }

  func limit(to bitsPerSecond: UInt64) { estimator.limit(to: bitsPerSecond) }

  func advance(to now: MediaTime, _ demand: LinkDemand) {
    log.expire(at: now)
    estimator.advance(to: now, demand)
  }

  func takePadding(at now: MediaTime) -> Int { estimator.takePadding(at: now) }

  /// What to tell, when it is news: an estimate that moved by a twentieth or more, or other tiles
  /// that starve or stall; and once a second.
  ///
  /// - Parameter waiting: Bytes that wait for room.
  func takeChange(
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
