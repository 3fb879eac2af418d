/// Protects RTP and RTCP packets as SRTP and SRTCP (RFC 3711, RFC 7714).
///
/// The sender protects packets in place, in bytes that it borrows from the caller. The bytes have
/// room for the tag. The sender derives each SSRC's roll-over counter from the sequence numbers.
/// The sender never uses an index twice: the sender refuses a repeated sequence number, and a
/// sequence number older than the SSRC's newest 1,024 numbers. A caller that retransmits a packet
/// sends the protected bytes again.
///
/// The sequence numbers of each SSRC must begin below 2^15. A receiver that misses the first
/// packets assumes that no roll-over has happened before the first packet that it receives (RFC
/// 3711, section 3.3.1). A packet of a known SSRC allocates nothing. The destruction of the value
/// wipes the keys.
public struct SRTPSender: ~Copyable, Sendable {
  /// The number of refused packets, by reason.
  public private(set) var refusals = SRTPRefusalCounts()

  private let tagLength: Int
  private let rtpCipher: PacketCipher
  private let rtcpCipher: PacketCipher
  var rtpStreams: SRTPStreamTable
  /// The number of RTP packets that the key may still protect, across all SSRCs.
  var rtpPacketsLeft: UInt64 = PacketIndex.rtpEnd
  /// The next RTCP index.
  ///
  /// All SSRCs share one counter, so no SSRC uses an index twice.
  var nextRTCPIndex: UInt64 = 0

  /// The number of bytes that protection adds to an RTP packet.
  public var rtpOverhead: Int { tagLength }

  /// The number of bytes that protection adds to an RTCP packet.
  public var rtcpOverhead: Int { tagLength + 4 }

  /// - Parameters:
  ///   - key: The key of this side.
  ///   - streams: The maximum number of SSRCs whose windows the sender stores; at least 1.
  public init(_ key: MasterKey, streams: Int = SRTPReceiver.defaultStreams) {
    self.init(rtp: key.rtpKeys, rtcp: key.rtcpKeys, streams: streams)
  }

  init(rtp: SessionKeys, rtcp: SessionKeys, streams: Int = SRTPReceiver.defaultStreams) {
    tagLength = rtp.profile.tagLength
    rtpCipher = PacketCipher(rtp, .encrypt)
    rtcpCipher = PacketCipher(rtcp, .encrypt)
    rtpStreams = SRTPStreamTable(capacity: streams)
  }

  /// Protects an RTP packet in place. Encrypts neither the fixed header nor the contributors nor
  /// the header extensions.
  ///
  /// - Parameters:
  ///   - packet: The packet, followed by at least `rtpOverhead` bytes.
  ///   - count: The size of the packet.
  /// - Returns: The size of the SRTP packet, or the reason for a refusal. A refusal leaves the
  ///   bytes unchanged.
  public mutating func protectRTP(
    _ packet: inout MutableRawSpan, count: Int
  ) -> Result<Int, SRTPRefusal> {
    guard count <= packet.byteCount - rtpOverhead else { return refusals.refuse(.noRoom) }
    switch rtpParts(of: packet.bytes.extracting(first: count)) {
    case .failure(let refusal): return refusals.refuse(refusal)
    case .success(let parts):
      // This code records the index first, so that the sender cannot use the index again.
      rtpStreams.record(parts.index, of: parts.ssrc)
      rtpPacketsLeft -= 1
      rtpCipher.protect(parts, in: &packet)
      return .success(count + rtpOverhead)
    }
  }

  /// Protects an RTCP packet in place. Encrypts neither the first header nor the sender's SSRC.
  ///
  /// - Parameters:
  ///   - packet: The packet, followed by at least `rtcpOverhead` bytes.
  ///   - count: The size of the packet.
  /// - Returns: The size of the SRTCP packet, or the reason for a refusal. A refusal leaves the
  ///   bytes unchanged.
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
    rtcpCipher.protect(SRTPPacketParts(header, word: word, count: count), in: &packet)
    return .success(count + rtcpOverhead)
  }

  /// Returns the parts of an RTP packet with an index that no earlier packet had.
  private func rtpParts(of packet: RawSpan) -> Result<SRTPPacketParts, SRTPRefusal> {
    guard let header = SRTPPacketFields(packet) else { return .failure(.malformed) }
    let highest = rtpStreams.highestIndex(of: header.ssrc)
    let index = PacketIndex.estimate(header.sequenceNumber, highest: highest)
    guard index < PacketIndex.rtpEnd, rtpPacketsLeft > 0 else { return .failure(.keyExpired) }
    return rtpStreams.judge(SRTPPacketParts(header, index: index, count: packet.byteCount))
  }
}
