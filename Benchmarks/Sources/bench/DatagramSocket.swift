import Glibc
import WebRTC

/// A non-blocking UDP socket that exchanges datagrams with one address. The deinitializer closes
/// the socket.
struct DatagramSocket: ~Copyable {
  let descriptor: Int32

  /// The maximum size of a datagram.
  static let mostBytes = 2_048

  /// Connects the socket to an IPv4 address.
  init(to address: UDPAddress) throws {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw BenchError.missing("A UDP socket") }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = address.port.bigEndian
    name.sin_addr.s_addr = UInt32(truncatingIfNeeded: address.lower).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard code == 0 else { throw BenchError.missing("A connection to \(address)") }
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
