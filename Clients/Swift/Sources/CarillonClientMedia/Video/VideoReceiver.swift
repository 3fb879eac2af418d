internal import MeetingModel
internal import RTP

/// One remote video track: makes frames of its packets, and says what to ask its sender for.
struct VideoReceiver {
  /// A frame as it came, without the pixels.
  struct Frame {
    let bytes: [UInt8]
    /// Ticks of 1/90,000 s, without wraps.
    let timestamp: Int64
    /// How far the picture is to be turned before it is shown, in degrees.
    let degrees: Int
  }

  let ssrc: UInt32
  private(set) var statistics = ReceptionStatistics(clockRate: 90_000)
  /// Bytes of all packets.
  private(set) var bytes = 0
  /// Frames handed out.
  private(set) var frames = 0

  private var assembler: FrameAssembler
  private var losses: LossTracker
  private var missing: [SequenceNumber] = []
  private var keyFrameAsked: MediaTime?
  private var isUndecodable = false
  private var hasPackets = false
  private var lastTimestamp: Int64?

  /// How long a packet is waited for, and asked for again.
  private static let timeout = Duration.milliseconds(300)

  /// The shortest time between two requests for a key frame.
  private static let keyFrameInterval = Duration.milliseconds(300)

  init(ssrc: UInt32) {
    self.ssrc = ssrc
    var rules = LossTracker.Rules()
    rules.timeout = Self.timeout
    losses = LossTracker(rules)
    assembler = FrameAssembler(.vp8, timeout: Self.timeout)
  }

  /// Packets that never came.
  var lostPackets: Int { assembler.lostPackets }

  /// Takes a packet of this track.
  mutating func receive(_ packet: RTPPacket, _ bytes: Span<UInt8>, at now: MediaTime) {
    hasPackets = true
    self.bytes += bytes.count
    statistics.receive(packet.sequence, timestamp: packet.timestamp, at: now)
    _ = losses.receive(packet.sequence, at: now)
    assembler.insert(packet, bytes, at: now)
  }

  mutating func receive(_ report: SenderReport, at now: MediaTime) {
    statistics.receive(report, at: now)
  }

  /// The next frame that can be decoded, in order.
  mutating func next(at now: MediaTime) -> Frame? {
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

  /// What was handed out could not be decoded.
  mutating func frameWasUndecodable() { isUndecodable = true }

  /// Says what is to be asked for now.
  ///
  /// - Parameter roundTrip: In microseconds; 0 if it is not known.
  mutating func tick(
    at now: MediaTime, roundTrip: Int64, sender: UInt32, into requests: inout RTCPWriter
  ) {
    guard hasPackets else { return }
    _ = losses.takeDue(at: now, roundTrip: roundTrip, into: &missing)
    requests.addNack(sender: sender, media: ssrc, missing: missing.span)
    guard assembler.needsKeyFrame || isUndecodable else { return }
    if let keyFrameAsked, now - keyFrameAsked < Self.keyFrameInterval { return }
    // The first packets may be the beginning of a key frame: it gets the time until the next look.
    defer { keyFrameAsked = now }
    guard keyFrameAsked != nil || lostPackets > 0 || isUndecodable else { return }
    requests.addPictureLoss(sender: sender, media: ssrc)
  }

  /// What to tell the sender; `nil` before the first packet.
  mutating func takeReport(at now: MediaTime) -> ReportBlock? {
    hasPackets ? statistics.takeReport(ssrc: ssrc, at: now) : nil
  }

  /// Adds what came to the totals of a session.
  func add(to totals: inout MediaTotals) {
    totals.videoReceivedBytes += bytes
    totals.videoExpected += Int(statistics.expected)
    // Those that came again count as received: the others are lost for good.
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
