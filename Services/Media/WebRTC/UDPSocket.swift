internal import CSocket
internal import Glibc
import WebRTC

/// A non-blocking socket for datagrams. The deinitializer closes the socket.
///
/// This type and ``DatagramBatch`` are the only types of the module that make system calls for
/// datagrams.
struct UDPSocket: ~Copyable {
  let descriptor: Int32

  /// The port of the socket.
  let port: UInt16

  /// The size of the receive buffer, in bytes. The size includes the system's overhead for each
  /// datagram.
  let receiveBufferBytes: Int

  /// The size of the send buffer, in bytes. The size includes the system's overhead for each
  /// datagram.
  let sendBufferBytes: Int

  /// Whether the system can divide a message into datagrams (UDP_SEGMENT of udp(7)).
  let dividesMessages: Bool

  /// The size of the buffer that `media` requests in each direction, in bytes.
  ///
  /// A system with default settings grants only a twentieth of this size: 208 KiB, which is enough
  /// for about a hundred datagrams.
  static let wantedBufferBytes = 4 << 20

  /// A failed system call.
  struct Failure: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    var description: String { "\(call): \(unsafe String(cString: strerror(code)))" }
  }

  /// - Parameters:
  ///   - address: The address to listen at, 4 or 16 bytes. If all bytes are 0, the socket listens
  ///     at every address.
  ///   - port: The port to bind. If the port is 0, the system chooses a port.
  init(at address: [UInt8], port: UInt16) throws(Failure) {
    let family = address.count == 16 ? AF_INET6 : AF_INET
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
    let bound = unsafe Self.withAddress(UDPAddress(host: address, port: port)) {
      unsafe bind(descriptor, $0, $1)
    }
    guard bound == 0 else {
      let code = errno
      Glibc.close(descriptor)
      throw Failure(call: "bind", code: code)
    }
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    _ = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    self.port = Self.address(storage)?.port ?? port
    Self.enlarge(SO_SNDBUF, byForce: SO_SNDBUFFORCE, of: descriptor)
    Self.enlarge(SO_RCVBUF, byForce: SO_RCVBUFFORCE, of: descriptor)
    receiveBufferBytes = Self.bytes(of: SO_RCVBUF, of: descriptor)
    sendBufferBytes = Self.bytes(of: SO_SNDBUF, of: descriptor)
    var (segment, segmentSize) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    dividesMessages =
      unsafe getsockopt(
        descriptor, CSOCKET_SOL_UDP, CSOCKET_UDP_SEGMENT, &segment, &segmentSize) == 0
    self.descriptor = descriptor
  }

  deinit { Glibc.close(descriptor) }

  /// Requests a larger buffer.
  ///
  /// Only a privileged process gets more than the limits net.core.rmem_max and net.core.wmem_max.
  /// Other processes get at most these limits (socket(7)).
  private static func enlarge(_ option: Int32, byForce force: Int32, of descriptor: Int32) {
    for option in [force, option] {
      var bytes = Int32(wantedBufferBytes)
      let size = socklen_t(MemoryLayout<Int32>.size)
      if unsafe setsockopt(descriptor, SOL_SOCKET, option, &bytes, size) == 0 { return }
    }
  }

  /// Returns a buffer's size.
  ///
  /// The system reports twice the requested size (socket(7)).
  private static func bytes(of option: Int32, of descriptor: Int32) -> Int {
    var (bytes, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    guard unsafe getsockopt(descriptor, SOL_SOCKET, option, &bytes, &size) == 0 else { return 0 }
    return Int(bytes) / 2
  }

  /// Reads the next datagram into `room`, and returns its sender; returns `nil` if no datagram
  /// waits.
  func receive(into room: inout [UInt8]) -> (count: Int, from: UDPAddress)? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let count = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { storage in
        unsafe room.withUnsafeMutableBytes { room in
          unsafe recvfrom(descriptor, room.baseAddress, room.count, 0, storage, &size)
        }
      }
    }
    guard count >= 0, let address = Self.address(storage) else { return nil }
    return (count, address)
  }

  /// Sends a datagram.
  ///
  /// - Returns: Whether the system accepted the datagram.
  func send(_ datagram: Span<UInt8>, to address: UDPAddress) -> Bool {
    unsafe Self.withAddress(address) { address, size in
      unsafe datagram.withUnsafeBytes {
        unsafe sendto(descriptor, $0.baseAddress, $0.count, 0, address, size) == $0.count
      }
    }
  }

  private static func withAddress<R>(
    _ address: UDPAddress, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
  ) -> R {
    func lend<Address>(_ value: Address) -> R {
      unsafe withUnsafePointer(to: value) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe body($0, socklen_t(MemoryLayout<Address>.size))
        }
      }
    }
    guard address.isIPv6 else { return lend(sockaddr_in(address)) }
    return lend(sockaddr_in6(address))
  }

  static func address(_ storage: sockaddr_storage) -> UDPAddress? {
    unsafe withUnsafeBytes(of: storage) { bytes in
      let port = unsafe UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
      switch Int32(storage.ss_family) {
      case AF_INET:
        return unsafe UDPAddress(
          ipv4: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
          port: port)
      case AF_INET6:
        return unsafe UDPAddress(
          upper: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
          lower: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
          port: port)
      default: return nil
      }
    }
  }

  /// Returns the bytes of an IPv4 or IPv6 address; `nil` if the text is not an address.
  static func bytes(of text: String) -> [UInt8]? {
    var (four, sixteen) = (in_addr(), in6_addr())
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      return unsafe withUnsafeBytes(of: four) { unsafe Array($0) }
    }
    if unsafe inet_pton(AF_INET6, text, &sixteen) == 1 {
      return unsafe withUnsafeBytes(of: sixteen) { unsafe Array($0) }
    }
    return nil
  }

  /// Returns the first IPv4 address of this machine that other machines may reach; `nil` if there
  /// is none.
  ///
  /// Browsers do not send to 127.0.0.1 from the addresses that they gather.
  static func ownAddress() -> [UInt8]? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return nil }
    defer { unsafe freeifaddrs(list) }
    var next = unsafe list
    while let entry = unsafe next {
      unsafe next = entry.pointee.ifa_next
      let flags = unsafe Int32(bitPattern: entry.pointee.ifa_flags)
      guard let address = unsafe entry.pointee.ifa_addr,
        unsafe Int32(address.pointee.sa_family) == AF_INET,
        flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0
      else { continue }
      return unsafe Array(
        UnsafeRawBufferPointer(start: UnsafeRawPointer(address), count: 8)[4..<8])
    }
    return nil
  }
}

extension sockaddr_in {
  /// Creates an IPv4 address.
  init(_ address: UDPAddress) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_port = address.port.bigEndian
    sin_addr.s_addr = UInt32(truncatingIfNeeded: address.lower).bigEndian
  }
}

extension sockaddr_in6 {
  /// Creates an IPv6 address.
  init(_ address: UDPAddress) {
    self.init()
    sin6_family = sa_family_t(AF_INET6)
    sin6_port = address.port.bigEndian
    unsafe withUnsafeMutableBytes(of: &sin6_addr) { bytes in
      unsafe bytes.storeBytes(of: address.upper.bigEndian, toByteOffset: 0, as: UInt64.self)
      unsafe bytes.storeBytes(of: address.lower.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
  }
}
