internal import Glibc

/// The address of a socket of any address family (socket(7), sockaddr_storage).
@safe struct SocketAddress {
  private var storage = sockaddr_storage()
  private var size = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// Makes an empty address, for a system call to fill.
  init() {}

  /// Copies an address that a system call returned.
  init(_ address: UnsafePointer<sockaddr>, _ count: socklen_t) {
    size = min(count, size)
    unsafe withUnsafeMutableBytes(of: &storage) { room in
      unsafe room.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(size)))
    }
  }

  /// Makes the address of a Unix socket.
  ///
  /// The path has at most ``ZeroMQ/Endpoint/maximumPathLength`` bytes.
  init(path: String) {
    storage.ss_family = sa_family_t(AF_UNIX)
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    unsafe withUnsafeMutableBytes(of: &storage) { room in
      unsafe room[offset...].copyBytes(from: path.utf8)
    }
    size = socklen_t(MemoryLayout<sockaddr_un>.size)
  }

  /// Makes the local address of a socket (getsockname(2)).
  init(ofSocket descriptor: Int32) {
    _ = unsafe withMutablePointer { unsafe getsockname(descriptor, $0, $1) }
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// The port; `nil` for an address without ports.
  var port: UInt16? {
    guard family == AF_INET || family == AF_INET6 else { return nil }
    // IPv4 and IPv6 addresses have the port at the same place.
    return unsafe withUnsafeBytes(of: storage) { bytes in
      UInt16(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }

  /// The bytes that identify the host of a tcp peer on another machine; `nil` for peers on this
  /// machine.
  var remoteHost: [UInt8]? {
    let host: Range<Int>
    switch family {
    case AF_INET: host = 4..<8
    case AF_INET6: host = 8..<24
    default: return nil
    }
    let bytes = unsafe withUnsafeBytes(of: storage) { unsafe Array($0[host]) }
    let loopback6 = [UInt8](repeating: 0, count: 15) + [1]
    return bytes == loopback6 || (family == AF_INET && bytes[0] == 127) ? nil : bytes
  }

  @unsafe func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    unsafe withUnsafePointer(to: storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, size)
      }
    }
  }

  @unsafe mutating func withMutablePointer<R>(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> R
  ) -> R {
    unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, &size)
      }
    }
  }
}
