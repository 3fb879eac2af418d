/// An IP address and a UDP port.
///
/// Code handles an address for every datagram, so this type needs no allocation.
public struct UDPAddress: Hashable, Sendable {
  /// The first eight of the sixteen bytes of an IPv6 address, in network order; 0 for IPv4.
  public let upper: UInt64

  /// The last eight bytes, in network order.
  ///
  /// An IPv4 address is in the four lower bytes.
  public let lower: UInt64

  /// Whether the host is an IPv6 address.
  public let isIPv6: Bool

  /// The UDP port.
  public let port: UInt16

  /// - Parameters:
  ///   - host: Four bytes for IPv4, or sixteen bytes for IPv6.
  ///   - port: The UDP port.
  public init(host: [UInt8], port: UInt16) {
    isIPv6 = host.count == 16
    upper = isIPv6 ? Self.number(host[..<8]) : 0
    lower = Self.number(isIPv6 ? host[8...] : host[...])
    self.port = port
  }

  /// - Parameters:
  ///   - upper: The first eight bytes of IPv6, in network order.
  ///   - lower: The last eight bytes. An IPv4-mapped address (RFC 4291, §2.5.5.2) becomes an IPv4
  ///     address.
  public init(upper: UInt64, lower: UInt64, port: UInt16) {
    let isMapped = upper == 0 && lower >> 32 == 0xFFFF
    (isIPv6, self.upper, self.lower) = (!isMapped, upper, isMapped ? lower & 0xFFFF_FFFF : lower)
    self.port = port
  }

  /// - Parameter ipv4: The four bytes, in network order.
  public init(ipv4: UInt32, port: UInt16) {
    (isIPv6, upper, lower, self.port) = (false, 0, UInt64(ipv4), port)
  }

  /// The four bytes of an IPv4 address, or the sixteen bytes of an IPv6 address.
  public var host: [UInt8] {
    isIPv6 ? Self.bytes(upper, 8) + Self.bytes(lower, 8) : Self.bytes(lower, 4)
  }

  /// The host in the form of SDP: `192.0.2.1`, or `2001:db8:0:0:0:0:0:1`.
  public var text: String {
    let host = host
    guard isIPv6 else { return host.map { "\($0)" }.joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map {
      String(UInt16(host[$0]) << 8 | UInt16(host[$0 + 1]), radix: 16)
    }.joined(separator: ":")
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (1...count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - $0))) }
  }
}
