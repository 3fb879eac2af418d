import Glibc

/// A UDP socket on 127.0.0.1 with one peer. The initializer can name the peer; otherwise, the first
/// sender becomes the peer.
final class LoopbackSocket {
  struct Failure: Error {
    let call: String
    let code = errno
  }

  let port: UInt16
  private let descriptor: Int32
  private var isConnected: Bool

  init(to peer: UInt16? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(call: "socket") }
    isConnected = peer != nil
    port = try Self.bindAndConnect(descriptor, to: peer)
  }

  deinit { close(descriptor) }

  private static func bindAndConnect(_ descriptor: Int32, to peer: UInt16?) throws -> UInt16 {
    var own = loopback(port: 0)
    guard withAddress(&own, { bind(descriptor, $0, $1) }) == 0 else { throw Failure(call: "bind") }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withAddress(&own, { address, _ in getsockname(descriptor, address, &size) }) == 0 else {
      throw Failure(call: "getsockname")
    }
    if let peer { connect(descriptor, to: loopback(port: peer)) }
    return UInt16(bigEndian: own.sin_port)
  }

  /// Sends a datagram. The socket drops a datagram that the system refuses, as any network may drop
  /// a datagram.
  func send(_ datagram: [UInt8]) { _ = Glibc.send(descriptor, datagram, datagram.count, 0) }

  /// Waits for a datagram.
  ///
  /// - Parameter milliseconds: The longest wait; 0 or more.
  /// - Returns: The datagram; `nil` if no datagram arrived.
  func receive(within milliseconds: Int32) -> [UInt8]? {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, milliseconds) == 1 else { return nil }
    var (room, sender) = ([UInt8](repeating: 0, count: 65_536), Self.loopback(port: 0))
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let count = Self.withAddress(&sender) { address, _ in
      recvfrom(descriptor, &room, room.count, 0, address, &size)
    }
    guard count >= 0 else { return nil }
    if !isConnected { Self.connect(descriptor, to: sender) }
    isConnected = true
    return Array(room.prefix(count))
  }

  private static func connect(_ descriptor: Int32, to peer: sockaddr_in) {
    var peer = peer
    _ = withAddress(&peer) { Glibc.connect(descriptor, $0, $1) }
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  private static func withAddress<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
