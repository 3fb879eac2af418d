internal import Glibc
internal import Output
internal import WebRTC

/// A non-blocking UDP socket that exchanges datagrams with one IPv4 address. The deinitializer
/// closes the socket.
struct DatagramConnection: ~Copyable {
  let descriptor: Int32

  /// The maximum size of a received datagram, in bytes.
  static let mostBytes = 2_048

  /// - Throws: ``CommandFailure`` if the system refuses the socket or the address.
  init(to address: UDPAddress) throws(CommandFailure) {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, kind, 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = address.port.bigEndian
    name.sin_addr.s_addr = UInt32(truncatingIfNeeded: address.lower).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafePointer(to: &name) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, size)
      }
    }
    guard code == 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw CommandFailure.unavailable(
        "A browser could not open a UDP socket to \(address.text):\(address.port): \(reason).")
    }
  }

  deinit { close(descriptor) }

  /// Sends the first `count` bytes. A datagram that the system refuses is lost.
  func send(_ bytes: [UInt8], count: Int) {
    _ = unsafe Glibc.send(descriptor, bytes, count, 0)
  }

  /// Reads the next datagram into `room`.
  ///
  /// - Returns: The number of bytes; `nil` if no datagram waits, or if the system reports an error.
  func receive(into room: inout [UInt8]) -> Int? {
    let count = unsafe recv(descriptor, &room, room.count, 0)
    return count < 0 ? nil : count
  }
}
