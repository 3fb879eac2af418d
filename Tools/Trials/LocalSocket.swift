internal import Glibc

/// A local stream socket as a bare descriptor, closed on deinitialization.
///
/// A test uses this socket for input that no library sends: half a handshake, silence, or malformed
/// bytes.
public final class LocalSocket: Sendable {
  /// The descriptor, for calls that this type lacks.
  public let descriptor: Int32

  /// The error of a call on the socket, with the errno(3) of the call.
  public enum Failure: Error {
    /// This process cannot create, bind or connect the socket.
    case cannotOpen(errno: Int32)

    /// The peer accepts no more bytes.
    case cannotSend(errno: Int32)
  }

  init(adopting descriptor: Int32) { self.descriptor = descriptor }

  /// Takes ownership of a descriptor.
  ///
  /// - Throws: ``Failure/cannotOpen(errno:)`` for a negative descriptor.
  public convenience init(taking descriptor: Int32) throws(Failure) {
    guard descriptor >= 0 else { throw .cannotOpen(errno: EBADF) }
    self.init(adopting: descriptor)
  }

  deinit { close(descriptor) }

  /// Connects to a Unix socket.
  public convenience init(connectedTo path: String) throws(Failure) {
    var address = Self.address(of: path)
    try unsafe self.init(AF_UNIX, &address, with: connect)
  }

  /// Listens at a path at which no file exists.
  public convenience init(listeningAt path: String) throws(Failure) {
    var address = Self.address(of: path)
    try unsafe self.init(AF_UNIX, &address, with: bind)
    guard listen(descriptor, 128) == 0 else { throw .cannotOpen(errno: errno) }
  }

  /// Connects to a port of 127.0.0.1.
  public convenience init(connectedToPort port: Int) throws(Failure) {
    var address = Self.loopback(port)
    try unsafe self.init(AF_INET, &address, with: connect)
  }

  /// Listens on a port of 127.0.0.1. For port 0, the system chooses the port; ``port()`` then
  /// returns the chosen port.
  public convenience init(listeningAtPort port: Int) throws(Failure) {
    var address = Self.loopback(port)
    try unsafe self.init(AF_INET, &address, with: bind)
    guard listen(descriptor, 128) == 0 else { throw .cannotOpen(errno: errno) }
  }

  /// Returns a free port of 127.0.0.1. If possible, the system does not assign this port to other
  /// connections.
  ///
  /// The port is below the ports that the system assigns (`ip_local_port_range` in man 7 ip).
  public static func freePort() throws(Failure) -> Int {
    for _ in 0..<100 {
      var address = loopback(.random(in: 20_000..<32_768))
      if let socket = try? unsafe LocalSocket(AF_INET, &address, with: bind) {
        return try socket.port()
      }
    }
    var address = loopback(0)
    return try unsafe LocalSocket(AF_INET, &address, with: bind).port()
  }

  /// Returns the local port of the socket.
  public func port() throws(Failure) -> Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &length)
      }
    }
    guard result == 0 else { throw .cannotOpen(errno: errno) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Waits for the next connection, and returns it; `nil` when the socket is shut down.
  public func accept() -> LocalSocket? {
    let peer = Glibc.accept(descriptor, nil, nil)
    return peer < 0 ? nil : LocalSocket(adopting: peer)
  }

  /// Shuts down both directions, so that waiting calls return.
  public func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Limits the time for which a call to send or receive waits.
  public func limitWaits(toSeconds seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }

  /// Sends all bytes.
  public func send(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw .cannotSend(errno: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for bytes, and reads up to `most` bytes.
  ///
  /// - Returns: The bytes; empty at the end of the stream, or after the time that
  ///   ``limitWaits(toSeconds:)`` allows.
  public func receive(atMost most: Int = 16_384) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: most)
    let count = unsafe recv(descriptor, &bytes, most, 0)
    return Array(bytes.prefix(max(count, 0)))
  }

  /// Reads until the peer closes the connection, or until a read waits as long as
  /// ``limitWaits(toSeconds:)`` allows.
  ///
  /// - Returns: The bytes, and whether the peer has closed the connection.
  public func readToEnd() -> (bytes: [UInt8], isEnded: Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return (bytes, count == 0 || errno == ECONNRESET) }
      bytes += buffer[..<count]
    }
  }

  private convenience init<Address>(
    _ family: Int32, _ address: inout Address,
    with call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(Failure) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    self.init(adopting: socket(family, type, 0))
    guard descriptor >= 0 else { throw .cannotOpen(errno: errno) }
    let length = socklen_t(MemoryLayout<Address>.size)
    let descriptor = descriptor
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe call(descriptor, $0, length)
      }
    }
    guard result == 0 else { throw .cannotOpen(errno: errno) }
  }

  private static func address(of path: String) -> sockaddr_un {
    precondition(path.utf8.count <= 107, "unix(7) takes paths of 107 bytes.")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: Array(path.utf8))
    }
    return address
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
