import Glibc
import WebRTC

/// A non-blocking UDP socket of this machine that exchanges datagrams with one address. The
/// deinitializer closes the socket.
struct DatagramSocket: ~Copyable {
  let descriptor: Int32

  /// The maximum size of a datagram.
  static let mostBytes = 2_048

  /// Opens a socket on a free port.
  init() throws {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw BenchError.missing("A UDP socket") }
    try Self.call(bind, descriptor, UDPAddress(ipv4: 0, port: 0))
  }

  /// Connects the socket to an IPv4 address.
  func connect(to address: UDPAddress) throws {
    try Self.call(Glibc.connect, descriptor, address)
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32,
    _ address: UDPAddress
  ) throws {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = address.port.bigEndian
    name.sin_addr.s_addr = UInt32(truncatingIfNeeded: address.lower).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { function(descriptor, $0, size) }
    }
    guard code == 0 else { throw BenchError.missing("A socket for \(address)") }
  }

  /// The address of the socket. Before ``connect(to:)``, the host in the address is 0.0.0.0.
  var address: UDPAddress {
    var name = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return UDPAddress(
      ipv4: UInt32(bigEndian: name.sin_addr.s_addr), port: UInt16(bigEndian: name.sin_port))
  }

  /// Returns the address from which this machine sends to other hosts, or 127.0.0.1 if the machine
  /// has no network.
  ///
  /// Connecting the UDP socket sends no packet. The address 192.0.2.1 is reserved for documentation
  /// (RFC 5737).
  static func ownHost() throws -> UDPAddress {
    let socket = try DatagramSocket()
    let elsewhere = UDPAddress(host: [192, 0, 2, 1], port: 9)
    do { try socket.connect(to: elsewhere) } catch {
      return UDPAddress(host: [127, 0, 0, 1], port: 0)
    }
    return socket.address
  }

  deinit { close(descriptor) }

  /// Sends a datagram. A datagram that the system refuses is lost.
  func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, 0) }

  /// Sends the first `count` bytes.
  func send(_ bytes: [UInt8], count: Int) { _ = Glibc.send(descriptor, bytes, count, 0) }

  /// Reads the next datagram into `room`.
  ///
  /// - Returns: The number of bytes; `nil` if no datagram waits.
  func receive(into room: inout [UInt8]) -> Int? {
    let count = recv(descriptor, &room, room.count, 0)
    return count < 0 ? nil : count
  }
}
