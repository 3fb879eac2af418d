/// Protects RTP and RTCP packets as SRTP and SRTCP (RFC 3711, RFC 7714).
///
/// Packets are protected in place, in bytes that the caller lends with room for the tag. The
/// roll-over counter of each SSRC follows the sequence numbers. No index is used twice: the same
/// number again, and one older than the last 1,024, is refused. A caller that sends a packet again
/// sends the protected bytes again. The sequence numbers of each SSRC begin below 2^15: a receiver
/// that misses the first packets takes the first one that it gets for one before any roll-over (RFC
/// 3711, section 3.3.1). A packet of a known SSRC allocates nothing. Keys are wiped when the value
/// ends.
public struct SRTPSender: ~Copyable, Sendable {
  /// How often packets were refused, and why.
  public private(set) var refusals = SRTPRefusalCounts()

  private let tagLength: Int
  private let rtpCipher: PacketCipher
  private let rtcpCipher: PacketCipher
  var rtpStreams: StreamTable
  /// RTP packets that the key may still protect, all SSRCs together.
  var rtpPacketsLeft: UInt64 = PacketIndex.rtpEnd
  /// One counter for all SSRCs: an index that is used once is used once by each of them.
  var nextRTCPIndex: UInt64 = 0

  /// Bytes that a protected RTP packet is longer.
  public var rtpOverhead: Int { tagLength }

  /// Bytes that a protected RTCP packet is longer.
  public var rtcpOverhead: Int { tagLength + 4 }

  /// - Parameters:
  ///   - key: The key of this side.
  ///   - streams: The most SSRCs whose window is kept at once; at least 1.
  public init(_ key: MasterKey, streams: Int = SRTPReceiver.defaultStreams) {
    self.init(rtp: key.rtpKeys, rtcp: key.rtcpKeys, streams: streams)
  }

  init(rtp: SessionKeys, rtcp: SessionKeys, streams: Int = SRTPReceiver.defaultStreams) {
    tagLength = rtp.profile.tagLength
    rtpCipher = PacketCipher(rtp, .encrypt)
    rtcpCipher = PacketCipher(rtcp, .encrypt)
    rtpStreams = StreamTable(capacity: streams)
  }

  /// Protects an RTP packet in place. Header, contributors and header extensions stay clear.
  ///
  /// - Parameters:
  ///   - packet: The packet, with `rtpOverhead` bytes after it at least.
  ///   - count: Bytes of the packet.
  /// - Returns: The bytes of the SRTP packet, or why there is none; the bytes are then unchanged.
  public mutating func protectRTP(
    _ packet: inout MutableRawSpan, count: Int
  ) -> Result<Int, SRTPRefusal> {
    guard count <= packet.byteCount - rtpOverhead else { return refusals.refuse(.noRoom) }
    switch rtpParts(of: packet.bytes.extracting(first: count)) {
    case .failure(let refusal): return refusals.refuse(refusal)
    case .success(let parts):
      // Taken before it is used, so that nothing can use it again.
      rtpStreams.record(parts.index, of: parts.ssrc)
      rtpPacketsLeft -= 1
      rtpCipher.protect(parts, in: &packet)
      return .success(count + rtpOverhead)
    }
  }

  /// Protects an RTCP packet in place. Its first header and its sender stay clear.
  ///
  /// - Parameters:
  ///   - packet: The packet, with `rtcpOverhead` bytes after it at least.
  ///   - count: Bytes of the packet.
  /// - Returns: The bytes of the SRTCP packet, or why there is none; the bytes are then unchanged.
  public mutating func protectRTCP(
    _ packet: inout MutableRawSpan, count: Int
  ) -> Result<Int, SRTPRefusal> {
    guard count <= packet.byteCount - rtcpOverhead else { return refusals.refuse(.noRoom) }
    guard let header = RTCPHeader(packet.bytes.extracting(first: count)) else {
      return refusals.refuse(.malformed)
    }
    guard nextRTCPIndex < PacketIndex.rtcpEnd else { return refusals.refuse(.keyExpired) }
    let word = RTCPHeader.encryptionFlag | UInt32(nextRTCPIndex)
    nextRTCPIndex += 1
    rtcpCipher.protect(PacketParts(header, word: word, count: count), in: &packet)
    return .success(count + rtcpOverhead)
  }

  /// The parts of an RTP packet whose index was not used.
  private func rtpParts(of packet: RawSpan) -> Result<PacketParts, SRTPRefusal> {
    guard let header = RTPHeader(packet) else { return .failure(.malformed) }
    let highest = rtpStreams.highestIndex(of: header.ssrc)
    let index = PacketIndex.estimate(header.sequenceNumber, highest: highest)
    guard index < PacketIndex.rtpEnd, rtpPacketsLeft > 0 else { return .failure(.keyExpired) }
    return rtpStreams.judge(PacketParts(header, index: index, count: packet.byteCount))
  }
}
