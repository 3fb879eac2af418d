/// Why a packet was not protected, or not accepted.
public enum SRTPRefusal: Int, Error, CaseIterable, Sendable {
  /// The bytes are too few, or no RTP or RTCP packet of version 2.
  case malformed
  /// The packet was accepted, or sent, before. A sender would use a nonce twice.
  case repeated
  /// The packet is older than the window of 1,024 packets, so it may be a repetition.
  case tooOld
  /// The packet was not made with this key, or it was changed on its way.
  case forged
  /// The peer has used up the SSRCs that are remembered.
  case tooManyStreams
  /// The master key has protected 2^48 RTP or 2^31 RTCP packets: make new keys (RFC 3711, section
  /// 9.2).
  case keyExpired
  /// The bytes after the packet have no room for its tag and trailer.
  case noRoom
}

/// How often each refusal happened.
public struct SRTPRefusalCounts: Hashable, Sendable {
  private var counts = [UInt64](repeating: 0, count: SRTPRefusal.allCases.count)

  /// How often one of them happened.
  public subscript(_ refusal: SRTPRefusal) -> UInt64 { counts[refusal.rawValue] }

  /// All together.
  public var total: UInt64 { counts.reduce(0, +) }

  /// Counts a refusal, and returns it as a result.
  mutating func refuse(_ refusal: SRTPRefusal) -> Result<Int, SRTPRefusal> {
    counts[refusal.rawValue] += 1
    return .failure(refusal)
  }
}
