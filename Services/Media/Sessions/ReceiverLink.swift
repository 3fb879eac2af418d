import RTP

/// The state of the link to one session's client: the bandwidth estimate, the packets in flight and
/// the last report.
///
/// The link belongs to the session, and the session's audio and video share the link. The link
/// starts with a ``DownlinkEstimator``. When the client sends its first arrival report, the link
/// replaces this estimator with a `FeedbackEstimator`, which limits the number of bytes in flight.
/// Some clients never send arrival reports.
///
/// Most sessions only listen, and send no feedback. The estimate of these sessions does not change,
/// so their links keep no measurements.
final class ReceiverLink {
  private let rules: LinkEstimateParameters

  /// The time at which the connection opened.
  private var openedAt: MonotonicTime

  /// The last time at which the link had nothing to measure. When the link begins to measure, the
  /// estimate continues from this time.
  private var restedAt: MonotonicTime

  /// The time of the last report of the initial estimate; `nil` before the first of these reports.
  /// The link reports the initial estimate while it has no measurements.
  private var toldAt: MonotonicTime?

  /// The payload types and the ids of header extensions on the link.
  private(set) var numbers = LinkRTPParameters.carillon

  /// The transport-wide numbers of the packets; `nil` unless the receiver's feedback identifies
  /// packets by these numbers.
  private var transportNumbers: TransportNumbers?

  /// The measurements of the connection; `nil` until the link measures something.
  private var begun: LinkMeasurements?

  init(_ rules: LinkEstimateParameters, at now: MonotonicTime) {
    (self.rules, openedAt, restedAt) = (rules, now, now)
  }

  convenience init(_ rules: VideoForwardingParameters, at now: MonotonicTime) {
    self.init(LinkEstimateParameters(rules), at: now)
  }

  /// Restarts the link for a client's new connection. The link then has no packets in flight and no
  /// measurements.
  func reset(
    at now: MonotonicTime, numbers: LinkRTPParameters,
    naming transportNumbers: TransportNumbers? = nil
  ) {
    renumber(numbers, naming: transportNumbers)
    (openedAt, restedAt, toldAt, begun) = (now, now, nil, nil)
  }

  /// Applies the payload types and ids of header extensions that the client and `media` have
  /// negotiated again on the same connection.
  func renumber(_ numbers: LinkRTPParameters, naming transportNumbers: TransportNumbers?) {
    (self.numbers, self.transportNumbers) = (numbers, transportNumbers)
  }

  /// The measurements. The first use of this property creates the measurements.
  private var measurements: LinkMeasurements {
    if let begun { return begun }
    let made = LinkMeasurements(rules, at: openedAt)
    made.advance(to: restedAt, LinkDemand(goal: 0))
    begun = made
    return made
  }

  /// Whether the link keeps measurements.
  var isMeasured: Bool { begun != nil }

  /// Whether the receiver sends feedback.
  var isAcknowledged: Bool { begun?.isAcknowledged ?? false }

  /// The estimator of the link's capacity.
  var estimator: any LinkEstimator { measurements.estimator }

  /// Returns the estimated bandwidth available to video, in bit/s, after subtraction of audio.
  func estimate(at now: MonotonicTime) -> Int {
    begun?.estimate(at: now) ?? rules.downlink.start
  }

  /// Returns the bitrate of the audio on the link, in bit/s.
  func audioBitsPerSecond(at now: MonotonicTime) -> Int { begun?.audioBitsPerSecond(at: now) ?? 0 }

  /// The number of bytes in flight, according to the receiver's feedback.
  var bytesInFlight: Int { begun?.bytesInFlight ?? 0 }

  /// Returns whether the link has room to send `bytes` bytes now.
  func hasRoom(for bytes: Int) -> Bool { begun?.hasRoom(for: bytes) ?? true }

  /// Returns whether the receiver has acknowledged no packet for `duration`.
  func isSilent(for duration: Duration, at now: MonotonicTime) -> Bool {
    begun?.isSilent(for: duration, at: now) ?? false
  }

  /// Records a packet of video or padding that the connection has accepted.
  func sendVideo(
    _ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MonotonicTime
  ) {
    guard let transportNumbers else {
      return measurements.sendVideo(ssrc, sequence, bytes: bytes, at: now)
    }
    guard let number = transportNumbers.last else {
      return measurements.countVideo(bytes, at: now)
    }
    measurements.sendVideo(TransportFeedbackReader.stream, number, bytes: bytes, at: now)
  }

  /// Records a packet of audio that the connection has accepted.
  func sendAudio(
    _ ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, at now: MonotonicTime
  ) {
    guard let begun, begun.isAcknowledged else { return }
    guard let transportNumbers else {
      return begun.sendAudio(ssrc, sequence, bytes: bytes, at: now)
    }
    // A packet without a number never appears in feedback.
    guard let number = transportNumbers.last else { return begun.countAudio(bytes, at: now) }
    begun.sendAudio(TransportFeedbackReader.stream, number, bytes: bytes, at: now)
  }

  /// Records the receiver's feedback in the format of RFC 8888.
  ///
  /// - Parameter isBacklogged: Whether packets wait because the bytes in flight have reached their
  ///   limit.
  func receive(
    _ feedback: CongestionFeedback, in bytes: Span<UInt8>, isBacklogged: Bool, at now: MonotonicTime
  ) {
    measurements.receive(feedback, in: bytes, isBacklogged: isBacklogged, at: now)
  }

  /// Records feedback in which the receiver identifies packets by their transport-wide numbers.
  ///
  /// A browser also acknowledges the mix, so a browser that only listens sends feedback as well.
  /// The link measures nothing before it sends the first packet of video, so it ignores feedback
  /// that arrives earlier.
  func receive(
    _ feedback: TransportFeedback, in bytes: Span<UInt8>, isBacklogged: Bool, at now: MonotonicTime
  ) {
    begun?.receive(feedback, in: bytes, isBacklogged: isBacklogged, at: now)
  }

  /// Records a report of arrivals.
  ///
  /// The link expects further reports from a client that has sent a report.
  func receive(_ report: ArrivalReport, isBacklogged: Bool, at now: MonotonicTime) {
    measurements.receive(report, isBacklogged: isBacklogged, at: now)
  }

  /// Records the number of bytes that wait at the connection.
  func measure(backlog bytes: Int, at now: MonotonicTime) {
    guard isMeasured || bytes > 0 else { return }
    measurements.measure(backlog: bytes, at: now)
  }

  func report(lossFraction: Double, roundTrip: Int64?, at now: MonotonicTime) {
    measurements.report(lossFraction: lossFraction, roundTrip: roundTrip, at: now)
  }

  func limit(to bitsPerSecond: UInt64) { measurements.limit(to: bitsPerSecond) }

  /// Updates the estimate.
  func advance(to now: MonotonicTime, _ demand: LinkDemand) {
    guard isMeasured || demand.goal > rules.downlink.start else { return restedAt = now }
    measurements.advance(to: now, demand)
  }

  func takePadding(at now: MonotonicTime) -> Int { begun?.takePadding(at: now) ?? 0 }

  /// Returns a report once a second. Returns a report earlier if the estimate changed by at least 5
  /// %, or if the set of starved or stalled tiles changed since the last report.
  ///
  /// - Parameter waiting: The number of bytes that wait for room on the link.
  func takeChange(
    waiting: Int, starved: [UInt32], stalled: [UInt32], at now: MonotonicTime
  ) -> DownlinkReport? {
    guard isMeasured || !starved.isEmpty || !stalled.isEmpty else { return takeFirst(at: now) }
    return measurements.takeChange(
      waiting: waiting, starved: starved, stalled: stalled, at: now)
  }

  /// Returns a report of the initial estimate; `nil` within 1 s of the last report.
  private func takeFirst(at now: MonotonicTime) -> DownlinkReport? {
    if let toldAt, now.microseconds(since: toldAt) < 1_000_000 { return nil }
    toldAt = now
    return DownlinkReport(
      bitsPerSecond: rules.downlink.start, usedBitsPerSecond: 0, backlogMs: 0, starvedTiles: [],
      stalledTiles: [])
  }
}
