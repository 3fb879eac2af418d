internal import MeetingModel
internal import RTP

/// The receiver of one remote video track. The receiver assembles frames and requests missing data.
struct RemoteVideoTrackReceiver {
  /// A received frame, not decoded yet.
  struct Frame {
    let bytes: [UInt8]
    /// The timestamp in ticks of 1/90,000 s, without wraparound.
    let timestamp: Int64
    /// The clockwise rotation to apply before display, in degrees.
    let degrees: Int
  }

  let ssrc: UInt32
  private(set) var statistics = ReceptionStatistics(clockRate: 90_000)
  /// The number of bytes in all received packets.
  private(set) var bytes = 0
  /// The number of frames returned by ``next(at:)``.
  private(set) var frames = 0

  private var assembler: FrameAssembler
  private var losses: LossTracker
  private var missing: [SequenceNumber] = []
  private var keyFrameAsked: MonotonicTime?
  private var isUndecodable = false
  private var hasPackets = false
  private var lastTimestamp: Int64?

  /// The number of lost packets from former instances of `media`.
  private var formerLost = 0

  /// How long the receiver waits for a missing packet. During this time, the receiver requests the
  /// packet.
  private static let timeout = Duration.milliseconds(300)

  /// The shortest time between two requests for a key frame.
  private static let keyFrameInterval = Duration.milliseconds(300)

  init(ssrc: UInt32) {
    self.ssrc = ssrc
    losses = Self.makeLosses()
    assembler = FrameAssembler(.vp8, timeout: Self.timeout)
  }

  /// Makes the receiver accept any sequence number next, because another instance of `media` starts
  /// its sequence numbers at another value.
  mutating func restart() {
    formerLost += assembler.lostPackets
    losses = Self.makeLosses()
    assembler = FrameAssembler(.vp8, timeout: Self.timeout)
    (keyFrameAsked, isUndecodable) = (nil, false)
  }

  private static func makeLosses() -> LossTracker {
    var rules = LossTracker.Rules()
    rules.timeout = Self.timeout
    return LossTracker(rules)
  }

  /// The number of packets that never arrived.
  var lostPackets: Int { formerLost + assembler.lostPackets }

  /// Handles a packet of this track.
  mutating func receive(_ packet: RTPPacket, _ bytes: Span<UInt8>, at now: MonotonicTime) {
    hasPackets = true
    self.bytes += bytes.count
    statistics.receive(packet.sequence, timestamp: packet.timestamp, at: now)
    _ = losses.receive(packet.sequence, at: now)
    assembler.insert(packet, bytes, at: now)
  }

  mutating func receive(_ report: SenderReport, at now: MonotonicTime) {
    statistics.receive(report, at: now)
  }

  /// Returns the next frame that the decoder can decode, in order.
  mutating func next(at now: MonotonicTime) -> Frame? {
    while let frame = assembler.next(at: now) {
      guard !isUndecodable || frame.isKeyFrame else { continue }
      isUndecodable = false
      keyFrameAsked = nil
      frames += 1
      return Frame(
        bytes: assembler.data, timestamp: unwrap(frame.timestamp),
        degrees: frame.orientation.degrees)
    }
    return nil
  }

  /// Records that the decoder rejected a returned frame. The receiver then waits for a key frame.
  mutating func frameWasUndecodable() { isUndecodable = true }

  /// Adds the requests that the receiver must send now: for missing packets, and for a key frame.
  ///
  /// - Parameter roundTrip: The round-trip time in microseconds; 0 if unknown.
  mutating func tick(
    at now: MonotonicTime, roundTrip: Int64, sender: UInt32, into requests: inout RTCPWriter
  ) {
    guard hasPackets else { return }
    _ = losses.takeDue(at: now, roundTrip: roundTrip, into: &missing)
    requests.addNack(sender: sender, media: ssrc, missing: missing.span)
    guard assembler.needsKeyFrame || isUndecodable else { return }
    if let keyFrameAsked, now - keyFrameAsked < Self.keyFrameInterval { return }
    // The first packets of a stream may begin a key frame. So the receiver waits one tick for the
    // rest of this frame.
    defer { keyFrameAsked = now }
    guard keyFrameAsked != nil || lostPackets > 0 || isUndecodable else { return }
    requests.addPictureLoss(sender: sender, media: ssrc)
  }

  /// Returns the report block for the sender; `nil` before the first packet.
  mutating func takeReport(at now: MonotonicTime) -> ReportBlock? {
    hasPackets ? statistics.takeReport(ssrc: ssrc, at: now) : nil
  }

  /// Adds the counts of received packets to the totals of a session.
  func add(to totals: inout MediaTotals) {
    totals.videoReceivedBytes += bytes
    totals.videoExpected += Int(statistics.expected)
    // The receiver counts retransmitted packets as received. Lost packets without a retransmission
    // remain lost.
    totals.videoLost += lostPackets
  }

  private mutating func unwrap(_ timestamp: UInt32) -> Int64 {
    let last = lastTimestamp ?? Int64(timestamp)
    let step = Int32(truncatingIfNeeded: Int64(timestamp) - last)
    let value = last + Int64(step)
    lastTimestamp = value
    return value
  }
}
