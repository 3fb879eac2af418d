/// Opens the SRTP and SRTCP packets that one side sends (RFC 3711, RFC 7714).
///
/// The receiver opens packets in place, in bytes that it borrows from the caller. Each SSRC has a
/// roll-over counter and a replay window of 1,024 packets. The receiver creates the counter and the
/// window at the SSRC's first authentic packet, so unauthenticated senders cannot fill the memory.
///
/// An authenticated peer cannot fill the memory either. If there are more than `streams` SSRCs, the
/// receiver evicts the SSRC whose last packet is oldest. Later, the receiver accepts only newer
/// packets of the evicted SSRC. After 8 × `streams` evictions, the receiver refuses new SSRCs. A
/// packet of a known SSRC allocates nothing. The destruction of the value wipes the keys.
public struct SRTPReceiver: ~Copyable, Sendable {
  /// The default maximum number of SSRCs in the receiver, for RTP and RTCP separately.
  public static let defaultStreams = 64

  /// The number of refused packets, by reason.
  public private(set) var refusals = SRTPRefusalCounts()

  private let profile: ProtectionProfile
  private let rtpCipher: PacketCipher
  private let rtcpCipher: PacketCipher
  var rtpStreams: SRTPStreamTable
  var rtcpStreams: SRTPStreamTable

  /// - Parameters:
  ///   - key: The key of the sending side.
  ///   - streams: The maximum number of SSRCs in the receiver, for RTP and RTCP separately; at
  ///     least 1.
  public init(_ key: MasterKey, streams: Int = defaultStreams) {
    self.init(rtp: key.rtpKeys, rtcp: key.rtcpKeys, streams: streams)
  }

  init(rtp: SessionKeys, rtcp: SessionKeys, streams: Int = defaultStreams) {
    profile = rtp.profile
    rtpCipher = PacketCipher(rtp, .decrypt)
    rtcpCipher = PacketCipher(rtcp, .decrypt)
    rtpStreams = SRTPStreamTable(capacity: streams)
    rtcpStreams = SRTPStreamTable(capacity: streams)
  }

  /// Opens an SRTP packet in place.
  ///
  /// - Parameters:
  ///   - packet: The packet. Its bytes are invalid after a refusal.
  ///   - count: The size of the packet with its tag; at most the size of `packet`.
  /// - Returns: The size of the RTP packet, which starts at the first byte of `packet`, or the
  ///   reason for a refusal.
  public mutating func openRTP(
    _ packet: inout MutableRawSpan, count received: Int
  ) -> Result<Int, SRTPRefusal> {
    switch rtpParts(of: packet.bytes, received) {
    case .failure(let refusal): return refusals.refuse(refusal)
    case .success(let parts):
      guard rtpCipher.open(parts, in: &packet) else { return refusals.refuse(.forged) }
      rtpStreams.record(parts.index, of: parts.ssrc)
      return .success(parts.count)
    }
  }

  /// Opens an SRTCP packet in place.
  ///
  /// - Parameters:
  ///   - packet: The packet. Its bytes are invalid after a refusal.
  ///   - count: The size of the packet with its tag; at most the size of `packet`.
  /// - Returns: The size of the RTCP packet, which starts at the first byte of `packet`, or the
  ///   reason for a refusal.
  public mutating func openRTCP(
    _ packet: inout MutableRawSpan, count received: Int
  ) -> Result<Int, SRTPRefusal> {
    switch rtcpParts(of: packet.bytes, received) {
    case .failure(let refusal): return refusals.refuse(refusal)
    case .success(let parts):
      guard rtcpCipher.open(parts, in: &packet) else { return refusals.refuse(.forged) }
      rtcpStreams.record(parts.index, of: parts.ssrc)
      return .success(parts.count)
    }
  }

  /// Returns the parts of an SRTP packet, or the reason for a refusal that needs no check of the
  /// packet's tag.
  private func rtpParts(
    of packet: RawSpan, _ received: Int
  ) -> Result<SRTPPacketParts, SRTPRefusal> {
    let count = received - profile.tagLength
    guard count >= 0, let header = SRTPPacketFields(packet.extracting(first: count)) else {
      return .failure(.malformed)
    }
    let highest = rtpStreams.highestIndex(of: header.ssrc)
    let index = PacketIndex.estimate(header.sequenceNumber, highest: highest)
    guard index < PacketIndex.rtpEnd else { return .failure(.keyExpired) }
    return rtpStreams.judge(SRTPPacketParts(header, index: index, count: count))
  }

  /// Returns the parts of an SRTCP packet, or the reason for a refusal that needs no check of the
  /// packet's tag.
  private func rtcpParts(
    of packet: RawSpan, _ received: Int
  ) -> Result<SRTPPacketParts, SRTPRefusal> {
    let count = received - profile.tagLength - 4
    guard count >= 0, let header = RTCPHeader(packet.extracting(first: count)) else {
      return .failure(.malformed)
    }
    let word = word(of: packet, after: count)
    return rtcpStreams.judge(SRTPPacketParts(header, word: word, count: count))
  }

  /// Returns the word with the E flag and the index.
  ///
  /// Under GCM, the word is at the end (RFC 7714, section 9.2). Otherwise the word precedes the tag
  /// (RFC 3711, section 3.4).
  private func word(of packet: RawSpan, after count: Int) -> UInt32 {
    let isLast = profile != .aes128CMHMACSHA180
    return packet.uint32(at: count + (isLast ? profile.tagLength : 0))
  }
}
