internal import MeetingModel
internal import RTP

/// The receiver of one remote video track. The receiver assembles frames and requests missing data.
struct RemoteVideoTrackReceiver {
  /// A received frame, not decoded yet.
  struct Frame {
    let codec: VideoCodec
    /// The data. A key frame of H.264 contains its parameter sets.
    let bytes: [UInt8]
    /// The timestamp in ticks of 1/90,000 s, without wraparound.
    let timestamp: Int64
    /// The clockwise rotation to apply before display, in degrees.
    let degrees: Int
    /// Whether decoding can begin with this frame.
    let isKeyFrame: Bool
    /// The width of the last key frame, in pixels; 0 if unknown.
    let width: Int
    /// The height of the last key frame, in pixels; 0 if unknown.
    let height: Int
  }

  let ssrc: UInt32
  private(set) var statistics = ReceptionStatistics(clockRate: 90_000)
  /// The number of bytes in all received packets.
  private(set) var bytes = 0
  /// The number of frames returned by ``next(at:)``.
  private(set) var frames = 0

  private var codec: VideoCodec
  private var assembler: FrameAssembler
  private var completer = H264KeyFrameCompleter()
  /// The number of lost packets when the completer last forgot its sets.
  private var lostBefore = 0
  private var size = (width: 0, height: 0)
  private var newest: SequenceNumber?
  private var losses: LossTracker
  private var missing: [SequenceNumber] = []
  private var keyFrameAsked: MonotonicTime?
  private var isUndecodable = false
  /// Whether a sink waits for a key frame. Until this key frame arrives, the receiver also returns
  /// other frames.
  private var isKeyFrameWanted = false
  private var hasPackets = false
  private var lastTimestamp: Int64?

  /// The number of lost packets from former instances of `media`.
  private var formerLost = 0

  /// How long the receiver waits for a missing packet. During this time, the receiver requests the
  /// packet.
  private static let timeout = Duration.milliseconds(300)

  /// The shortest time between two requests for a key frame.
  private static let keyFrameInterval = Duration.milliseconds(300)

  /// - Parameter codec: The codec of the first packet.
  init(ssrc: UInt32, codec: VideoCodec) {
    self.ssrc = ssrc
    self.codec = codec
    losses = Self.makeLosses()
    assembler = FrameAssembler(codec, timeout: Self.timeout)
  }

  /// Makes the receiver accept any sequence number next, because another instance of `media` starts
  /// its sequence numbers at another value.
  mutating func restart() {
    losses = Self.makeLosses()
    (keyFrameAsked, isUndecodable, newest) = (nil, false, nil)
    replaceAssembler()
  }

  /// Makes the receiver wait for a key frame of the current codec.
  private mutating func replaceAssembler() {
    formerLost += assembler.lostPackets
    assembler = FrameAssembler(codec, timeout: Self.timeout)
    completer.forget()
    (lostBefore, size) = (lostPackets, (0, 0))
  }

  private static func makeLosses() -> LossTracker {
    var rules = LossTracker.Rules()
    rules.timeout = Self.timeout
    return LossTracker(rules)
  }

  /// The number of packets that never arrived.
  var lostPackets: Int { formerLost + assembler.lostPackets }

  /// Handles a packet of this track. If the codec changes, the receiver waits for a key frame.
  ///
  /// - Parameter codec: The codec of the packet's payload type.
  mutating func receive(
    _ packet: RTPPacket, _ codec: VideoCodec, _ bytes: Span<UInt8>, at now: MonotonicTime
  ) {
    hasPackets = true
    self.bytes += bytes.count
    statistics.receive(packet.sequence, timestamp: packet.timestamp, at: now)
    _ = losses.receive(packet.sequence, at: now)
    let isNewest = newest.map { $0.distance(to: packet.sequence) > 0 } ?? true
    if isNewest { newest = packet.sequence }
    if codec != self.codec {
      // A late packet of the previous codec belongs to no frame of the current codec.
      guard isNewest else { return }
      self.codec = codec
      replaceAssembler()
    }
    assembler.insert(packet, bytes, at: now)
  }

  mutating func receive(_ report: SenderReport, at now: MonotonicTime) {
    statistics.receive(report, at: now)
  }

  /// Returns the next frame that the decoder can decode, in order.
  mutating func next(at now: MonotonicTime) -> Frame? {
    while let frame = assembler.next(at: now) {
      guard !isUndecodable || frame.isKeyFrame else { continue }
      guard let bytes = completeData(of: frame) else {
        isUndecodable = true
        continue
      }
      isUndecodable = false
      if frame.isKeyFrame { isKeyFrameWanted = false }
      if !isKeyFrameWanted { keyFrameAsked = nil }
      if frame.width > 0, frame.height > 0 { size = (frame.width, frame.height) }
      frames += 1
      return Frame(
        codec: codec, bytes: bytes, timestamp: unwrap(frame.timestamp),
        degrees: frame.orientation.degrees, isKeyFrame: frame.isKeyFrame, width: size.width,
        height: size.height)
    }
    return nil
  }

  /// Returns the data of the assembler's last frame; `nil` for a key frame whose parameter sets are
  /// unknown.
  private mutating func completeData(of frame: VideoFrame) -> [UInt8]? {
    var data = assembler.data
    guard codec == .h264 else { return data }
    if lostPackets > lostBefore {
      completer.forget()
      lostBefore = lostPackets
    }
    return completer.complete(&data, isKeyFrame: frame.isKeyFrame) ? data : nil
  }

  /// Records that the decoder rejected a returned frame. The receiver then waits for a key frame.
  mutating func frameWasUndecodable() { isUndecodable = true }

  /// Requests a key frame for a sink. Until the key frame arrives, the receiver continues to return
  /// frames.
  mutating func wantKeyFrame() { isKeyFrameWanted = true }

  /// Adds the requests that the receiver must send now: for missing packets, and for a key frame.
  ///
  /// - Parameter roundTrip: The round-trip time in microseconds; 0 if unknown.
  mutating func tick(
    at now: MonotonicTime, roundTrip: Int64, sender: UInt32, into requests: inout RTCPWriter
  ) {
    guard hasPackets else { return }
    _ = losses.takeDue(at: now, roundTrip: roundTrip, into: &missing)
    requests.addNack(sender: sender, media: ssrc, missing: missing.span)
    let isCertain = isUndecodable || isKeyFrameWanted
    guard assembler.needsKeyFrame || isCertain else { return }
    if let keyFrameAsked, now - keyFrameAsked < Self.keyFrameInterval { return }
    // The first packets of a stream may begin a key frame. So the receiver waits one tick for the
    // rest of this frame.
    defer { keyFrameAsked = now }
    guard keyFrameAsked != nil || lostPackets > 0 || isCertain else { return }
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
