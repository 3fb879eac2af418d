import RTP

/// The state of the link to one session's client: its estimate, the packets in flight and the last
/// report.
///
/// It belongs to the session; audio and video share it. It starts with a ``DownlinkEstimator``.
/// The first arrival report, which some clients never send, replaces that estimator by a
/// `FeedbackEstimator`. From then on the bytes in flight are limited.
final class ReceiverLink {
  private let rules: VideoRules

  /// The numbers of formats and header extensions on the link.
  private(set) var numbers = LinkNumbers.carillon
  private(set) var estimator: any LinkEstimator
  private var log = SentLog()

  /// Reads the receiver's feedback into `arrivals`, whose storage is reused.
  private var feedbackReader = CongestionFeedbackReader()
  private var transportReader = TransportFeedbackReader()

  /// The numbers of the packets in the log, if the receiver's feedback does not name streams.
  private var transportNumbers: TransportNumbers?
  private var arrivals = ArrivalReport()

  /// Whether the receiver sends feedback.
  private(set) var isAcknowledged = false

  /// Whether, without feedback, the connection's backlog is so long that sending pauses.
  private var isBehind = false

  /// The rates of sent video and audio, in bytes.
  private var video = RateMeter()
  private var audio = RateMeter()
  private var told: (report: DownlinkReport, at: MediaTime)?

  /// The longest backlog of a receiver without feedback, in microseconds at the estimated bitrate.
  private static let longestHeld: Int64 = 100_000

  init(_ rules: VideoRules, at now: MediaTime) {
    self.rules = rules
    estimator = DownlinkEstimator(rules.downlink, at: now)
  }

  /// Starts afresh for a client's new connection: nothing is in flight and nothing is measured.
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

  /// Applies new numbers that client and media have negotiated on the same connection.
  func renumber(_ numbers: LinkNumbers, naming transportNumbers: TransportNumbers?) {
    (self.numbers, self.transportNumbers) = (numbers, transportNumbers)
  }

  /// Returns the estimated bandwidth available to video, in bit/s, after audio is subtracted.
  func estimate(at now: MediaTime) -> Int {
    max(estimator.bitsPerSecond - audio.perSecond(at: now) * 8, estimator.bitsPerSecond / 4)
  }

  /// Returns the bitrate of the audio on the link.
  func audioBitsPerSecond(at now: MediaTime) -> Int { audio.perSecond(at: now) * 8 }

  /// The bytes in flight, as far as the receiver's feedback shows.
  var bytesInFlight: Int { log.bytesInFlight }

  /// Returns whether this many bytes may be sent now.
  func hasRoom(for bytes: Int) -> Bool {
    isAcknowledged ? log.hasRoom(for: bytes, in: estimator.window) : !isBehind
  }

  /// Returns whether the receiver has acknowledged no arrival for this long.
  func isSilent(for duration: Duration, at now: MediaTime) -> Bool {
    isAcknowledged && log.isSilent(for: duration, at: now)
  }

  /// Accounts for a packet of video or padding that was handed to the connection.
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

  /// Accounts for a packet of audio that was handed to the connection.
  func sendAudio(
    _ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MediaTime
  ) {
    guard isAcknowledged else { return }
    audio.add(bytes, at: now)
    // A packet without a number never appears in feedback.
    if let transportNumbers, transportNumbers.last == nil { return }
    estimator.send(bytes, at: now)
    note(ssrc, sequence, bytes: bytes, at: now)
  }

  /// Takes the receiver's acknowledgement of packets in the format of RFC 8888.
  ///
  /// - Parameter isBacklogged: Whether packets wait because the limit of bytes in flight is
  ///   reached.
  func receive(
    _ feedback: CongestionFeedback, in bytes: Span<UInt8>, isBacklogged: Bool, at now: MediaTime
  ) {
    feedbackReader.read(feedback, in: bytes, into: &arrivals)
    receive(arrivals, isBacklogged: isBacklogged, at: now)
  }

  /// Takes the receiver's acknowledgement of packets by their numbers in the connection.
  func receive(
    _ feedback: TransportFeedback, in bytes: Span<UInt8>, isBacklogged: Bool, at now: MediaTime
  ) {
    transportReader.read(feedback, in: bytes, into: &arrivals)
    receive(arrivals, isBacklogged: isBacklogged, at: now)
  }

  /// Takes a report of arrivals.
  ///
  /// A client that has sent one is expected to continue.
  func receive(_ report: ArrivalReport, isBacklogged: Bool, at now: MediaTime) {
    if !isAcknowledged {
      isAcknowledged = true
      estimator = FeedbackEstimator(rules.feedback, at: now)
    }
    estimator.take(report, of: &log, isBacklogged: isBacklogged, at: now)
  }

  /// Takes the number of bytes that wait at the connection.
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

  /// Returns a report if the estimate moved by a twentieth or more, or if other tiles starve or
  /// stall, and otherwise once a second.
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
