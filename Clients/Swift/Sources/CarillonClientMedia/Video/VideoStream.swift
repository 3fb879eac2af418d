internal import RTP
internal import VPX

/// One stream of VP8 packets on its way out: numbers them, and keeps the latest to send them again.
struct VideoStream {
  let ssrc: UInt32

  /// Packets sent; those sent again do not count.
  private(set) var packets: UInt32 = 0
  /// Bytes of their payloads.
  private(set) var payloadBytes: UInt32 = 0
  /// Frames sent.
  private(set) var frames = 0
  /// Bytes of all packets, those sent again too.
  private(set) var bytes = 0
  /// The RTP timestamp of the last frame.
  private(set) var lastTimestamp: UInt32

  let payloadType: UInt8
  private var packetizer: VP8Packetizer
  private var sequence: SequenceNumber
  private let timestampOffset: UInt32

  /// The orientation of the last frame.
  private var orientation = VideoOrientation.upright
  private var cache: [[UInt8]] = []
  private var cachedFrom: Int64 = 0
  private var nextIndex: Int64 = 0

  /// A second of the highest layer and more.
  private static let cachedPackets = 512

  /// The most that a packet has beside its payload.
  private static let headerBytes = RTPPacket.smallestHeaderBytes + VideoOrientation.extensionBytes

  /// What networks carry in one piece, less the header.
  private static let usualPayload = 1200 - headerBytes

  /// - Parameters:
  ///   - payloadType: Of VP8.
  ///   - maxPacketBytes: No packet is larger.
  init(
    ssrc: UInt32, payloadType: UInt8, maxPacketBytes: Int, numbers: inout some RandomNumberGenerator
  ) {
    self.ssrc = ssrc
    self.payloadType = payloadType
    packetizer = VP8Packetizer(
      maximumPayloadBytes: max(
        100, min(Self.usualPayload, maxPacketBytes - Self.headerBytes)),
      pictureID: .random(in: 0...0x7FFF, using: &numbers))
    sequence = SequenceNumber(.random(in: 0...0x7FFF, using: &numbers))
    timestampOffset = .random(in: .min ... .max, using: &numbers)
    lastTimestamp = timestampOffset
    cache = Array(repeating: [], count: Self.cachedPackets)
  }

  /// Sends a frame as one packet or more.
  ///
  /// - Parameters:
  ///   - timestamp: In 90 kHz.
  ///   - orientation: How the picture lies. The last packet of the frame says it, unless it is
  ///     upright as before.
  mutating func send(
    _ frame: VP8Frame, timestamp: Int64, _ orientation: VideoOrientation = .upright,
    emit: (Span<UInt8>, SequenceNumber) -> Void
  ) {
    let isTold = orientation != .upright || orientation != self.orientation
    self.orientation = orientation
    lastTimestamp = timestampOffset &+ UInt32(truncatingIfNeeded: timestamp)
    // Taken out, so that it can run while the rest changes.
    var packetizer = packetizer
    packetizer.packetize(frame.bytes.span) { payload, isLast in
      let slot = Int(nextIndex % Int64(Self.cachedPackets))
      let header = RTPHeader(
        payloadType: payloadType, sequence: sequence, timestamp: lastTimestamp, ssrc: ssrc,
        isMarked: isLast)
      if isTold, isLast {
        header.begin(in: &cache[slot]) { orientation.append(to: &$0) }
      } else {
        header.begin(in: &cache[slot])
      }
      cache[slot].append(copying: payload)
      packets &+= 1
      payloadBytes &+= UInt32(payload.count)
      bytes += cache[slot].count
      let packet = cache[slot]
      emit(packet.span, sequence)
      sequence = sequence.advanced(by: 1)
      nextIndex += 1
    }
    self.packetizer = packetizer
    frames += 1
  }

  /// Sends a packet of padding, which shows nothing.
  ///
  /// - Returns: Its bytes.
  mutating func pad(emit: (Span<UInt8>, SequenceNumber) -> Void) -> Int {
    let slot = Int(nextIndex % Int64(Self.cachedPackets))
    RTPHeader(
      payloadType: payloadType, sequence: sequence, timestamp: lastTimestamp, ssrc: ssrc
    ).begin(in: &cache[slot])
    cache[slot][0] |= 0x20
    for _ in 1..<Self.paddingBytes { cache[slot].append(0) }
    cache[slot].append(UInt8(Self.paddingBytes))
    packets &+= 1
    let packet = cache[slot]
    emit(packet.span, sequence)
    sequence = sequence.advanced(by: 1)
    nextIndex += 1
    return packet.count
  }

  /// The most that a packet can have (RFC 3550, section 5.1).
  private static let paddingBytes = 255

  /// Sends a packet again, if it is kept.
  ///
  /// - Returns: Whether it was.
  @discardableResult
  mutating func resend(_ missing: SequenceNumber, emit: (Span<UInt8>) -> Void) -> Bool {
    let back = missing.distance(to: sequence)
    guard (1...Self.cachedPackets).contains(back), Int64(back) <= nextIndex else { return false }
    let slot = Int((nextIndex - Int64(back)) % Int64(Self.cachedPackets))
    bytes += cache[slot].count
    let packet = cache[slot]
    emit(packet.span)
    return true
  }

  /// What to tell receivers of the stream.
  func report(at time: NTPTime) -> SenderReport {
    SenderReport(
      ssrc: ssrc, time: time, timestamp: lastTimestamp, packets: packets,
      payloadBytes: payloadBytes)
  }
}
