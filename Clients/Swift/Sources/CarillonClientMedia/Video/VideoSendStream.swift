internal import RTP
internal import VPX

/// One sent stream of VP8 packets. The stream numbers the packets, and keeps the latest packets for
/// retransmission.
struct VideoSendStream {
  let ssrc: UInt32

  /// The number of sent packets, without retransmissions.
  private(set) var packets: UInt32 = 0
  /// The number of bytes in the payloads of the sent packets.
  private(set) var payloadBytes: UInt32 = 0
  /// The number of sent frames.
  private(set) var frames = 0
  /// The number of bytes in all sent media packets, including retransmissions but not padding.
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

  /// The number of packets to keep for retransmission. The highest layer needs more than a second
  /// to send this many packets.
  private static let cachedPackets = 512

  /// The largest header of a packet.
  private static let headerBytes = RTPPacket.smallestHeaderBytes + VideoOrientation.extensionBytes

  /// The payload that fits the usual MTU of networks.
  private static let usualPayload = 1200 - headerBytes

  /// - Parameters:
  ///   - payloadType: The RTP payload type of VP8.
  ///   - maxPacketBytes: The size limit of a packet.
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

  /// Sends a frame as one or more packets.
  ///
  /// - Parameters:
  ///   - timestamp: The frame's timestamp, in ticks of 1/90,000 s.
  ///   - orientation: The orientation of the picture. The last packet of the frame carries the
  ///     orientation, unless both this orientation and the previous orientation are upright.
  mutating func send(
    _ frame: VP8Frame, timestamp: Int64, _ orientation: VideoOrientation = .upright,
    emit: (Span<UInt8>, SequenceNumber) -> Void
  ) {
    let isTold = orientation != .upright || orientation != self.orientation
    self.orientation = orientation
    lastTimestamp = timestampOffset &+ UInt32(truncatingIfNeeded: timestamp)
    // This is a copy, because the closure changes `self` while the packetizer runs.
    var packetizer = packetizer
    packetizer.packetize(frame.bytes.span) { payload, isLast in
      let slot = Int(nextIndex % Int64(Self.cachedPackets))
      let header = OutgoingRTPHeader(
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

  /// Sends a packet of padding without media.
  ///
  /// - Returns: The size of the packet, in bytes.
  mutating func pad(emit: (Span<UInt8>, SequenceNumber) -> Void) -> Int {
    let slot = Int(nextIndex % Int64(Self.cachedPackets))
    OutgoingRTPHeader(
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

  /// The maximum padding in a packet, in bytes (RFC 3550, section 5.1).
  private static let paddingBytes = 255

  /// Retransmits a packet if the stream still keeps the packet.
  ///
  /// - Returns: Whether the stream sent the packet.
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

  /// Returns the sender report of the stream.
  func report(at time: NTPTime) -> SenderReport {
    SenderReport(
      ssrc: ssrc, time: time, timestamp: lastTimestamp, packets: packets,
      payloadBytes: payloadBytes)
  }
}
