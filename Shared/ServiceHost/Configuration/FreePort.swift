internal import Glibc
internal import Synchronization

/// A search for free TCP ports. Use this search for an address that must be known before the
/// service listens on the address.
///
/// The search reserves the port for this process until the process ends, so that services that
/// start at the same time choose different ports. If a program that is not part of Carillon takes
/// the port before the service listens, the service fails to listen, and reports the failure.
public enum FreePort {
  /// Returns a port on which no process listened a moment ago.
  ///
  /// - Throws: ``HostError/inUse(_:)`` when the system has no free port.
  public static func find() throws(HostError) -> Int {
    guard let port = bound(to: 0) else {
      throw .inUse("This machine has no free port; stop programs that use ports.")
    }
    return port
  }

  /// Returns the given number of different ports on which no process listened a moment ago.
  static func find(_ count: Int) throws(HostError) -> [Int] {
    var ports: [Int] = []
    for _ in 0..<count * 20 where ports.count < count {
      let port = try find()
      if !ports.contains(port) { ports.append(port) }
    }
    return ports
  }

  /// Returns whether no process listens on a port, and reserves the port.
  static func isFree(_ port: Int) -> Bool {
    UInt16(exactly: port).map { bound(to: $0) != nil && reserve($0) } ?? false
  }

  /// Returns the first port on which no process listens, and reserves the port.
  ///
  /// - Parameters:
  ///   - count: The number of ports to try.
  ///   - first: The first port to try.
  /// - Throws: ``HostError/inUse(_:)`` when all these ports are in use.
  public static func first(of count: Int, from first: Int) throws(HostError) -> Int {
    for port in first..<first + count where port <= 65_535 {
      if isFree(port) { return port }
    }
    throw .inUse(
      """
      All \(count) ports from \(first) on are in use; set another port, or a larger \
      --port-attempts.
      """)
  }

  /// - Parameter port: The port; 0 for any.
  /// - Returns: The port, or `nil` if another process listens on the port.
  private static func bound(to port: UInt16) -> Int? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // An earlier listener may have left connections in the state TIME_WAIT. With this option, these
    // connections do not make the port look used.
    var yes: Int32 = 1
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor, generic, length) == 0
          && listen(descriptor, 1) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
  }

  // MARK: Reservations

  /// The sockets of this process's reservations, by port.
  private static let reservations = Mutex<[UInt16: Int32]>([:])

  /// Reserves a port for this process.
  ///
  /// The reservation is a Unix socket with an abstract name (unix(7)). Like a TCP port, the name
  /// belongs to the network namespace, and the kernel removes the name when the process ends.
  ///
  /// - Returns: Whether this process has the reservation.
  private static func reserve(_ port: UInt16) -> Bool {
    reservations.withLock { reservations in
      if reservations[port] != nil { return true }
      guard let descriptor = abstractSocket(named: "carillon-port-\(port)") else { return false }
      reservations[port] = descriptor
      return true
    }
  }

  /// Returns a socket with an abstract name, or `nil` if another socket has the name.
  private static func abstractSocket(named name: String) -> Int32? {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // An abstract name begins with a null byte.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
      unsafe path.dropFirst().copyBytes(from: name.utf8)
    }
    let size = MemoryLayout<sa_family_t>.size + 1 + name.utf8.count
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor, generic, socklen_t(size)) == 0
      }
    }
    guard isBound else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
