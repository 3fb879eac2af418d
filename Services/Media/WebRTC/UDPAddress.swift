/// Where a datagram comes from or goes to.
struct UDPAddress: Hashable, Sendable {
  /// Four bytes of IPv4, or sixteen of IPv6.
  let host: [UInt8]
  let port: UInt16

  /// The host in the form that SDP has.
  var text: String {
    guard host.count == 16 else { return host.map { "\($0)" }.joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map {
      String(UInt16(host[$0]) << 8 | UInt16(host[$0 + 1]), radix: 16)
    }.joined(separator: ":")
  }
}
