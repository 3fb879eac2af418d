/// The protocol of a datagram on a shared port, by its first byte (RFC 7983, §7).
public enum DatagramKind: Hashable, Sendable {
  /// STUN: 0-3.
  case stun
  /// DTLS: 20-63.
  case dtls
  /// SRTP or SRTCP: 128-191.
  case srtp
  /// A protocol that peers do not use here, such as ZRTP or a TURN channel.
  case unknown

  /// - Parameter datagram: The bytes of the datagram, which may be empty.
  public init(_ datagram: Span<UInt8>) {
    guard !datagram.isEmpty else {
      self = .unknown
      return
    }
    switch datagram[0] {
    case 0...3: self = .stun
    case 20...63: self = .dtls
    case 128...191: self = .srtp
    default: self = .unknown
    }
  }
}
