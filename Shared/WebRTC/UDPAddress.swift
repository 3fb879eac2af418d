/// An IP address and a UDP port.
public struct UDPAddress: Hashable, Sendable {
  /// Four bytes of IPv4, or sixteen of IPv6.
  public let host: [UInt8]

  /// The UDP port.
  public let port: UInt16

  /// - Parameters:
  ///   - host: Four bytes of IPv4, or sixteen of IPv6.
  ///   - port: The UDP port.
  public init(host: [UInt8], port: UInt16) { (self.host, self.port) = (host, port) }

  /// The host in the form that SDP has: `192.0.2.1`, or `2001:db8:0:0:0:0:0:1`.
  public var text: String {
    guard host.count == 16 else { return host.map { "\($0)" }.joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map {
      String(UInt16(host[$0]) << 8 | UInt16(host[$0 + 1]), radix: 16)
    }.joined(separator: ":")
  }
}
