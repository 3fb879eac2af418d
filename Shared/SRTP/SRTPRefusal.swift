/// The reason why a sender did not protect a packet, or a receiver did not accept a packet.
public enum SRTPRefusal: Int, Error, CaseIterable, Sendable {
  /// The packet is too short, or is not an RTP or RTCP packet of version 2.
  case malformed
  /// The receiver has already accepted a packet with this index, or the sender has already sent a
  /// packet with this index.
  ///
  /// Protecting another packet with the same index would reuse a nonce.
  case repeated
  /// The packet is older than the window of 1,024 packets, so the receiver could not detect a
  /// repetition of the packet.
  case tooOld
  /// The sender used another key, or somebody changed the packet in transit.
  case forged
  /// The peer has used more SSRCs than the receiver can remember.
  case tooManyStreams
  /// The master key has protected the maximum number of packets: 2^48 RTP packets or 2^31 RTCP
  /// packets. Both ends must establish new keys (RFC 3711, section 9.2).
  case keyExpired
  /// The buffer has no room after the packet for the authentication tag and the trailer.
  case noRoom
}

/// The number of refusals, by reason.
public struct SRTPRefusalCounts: Hashable, Sendable {
  private var counts = [UInt64](repeating: 0, count: SRTPRefusal.allCases.count)

  /// The number of refusals for one reason.
  public subscript(_ refusal: SRTPRefusal) -> UInt64 { counts[refusal.rawValue] }

  /// The number of all refusals.
  public var total: UInt64 { counts.reduce(0, +) }

  /// Counts a refusal, and returns it as a result.
  mutating func refuse(_ refusal: SRTPRefusal) -> Result<Int, SRTPRefusal> {
    counts[refusal.rawValue] += 1
    return .failure(refusal)
  }
}
