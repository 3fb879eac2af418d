internal import Glibc

/// A search for free TCP ports. Use this search for an address that must be known before the
/// service listens on the address.
///
/// If another process takes the port in the meantime, the service fails to listen, and reports the
/// failure.
public enum FreePort {
  /// Returns a port on which no process listened a moment ago.
  ///
  /// - Throws: ``HostError/configuration(_:)`` when the system has no free port.
  public static func find() throws(HostError) -> Int {
    guard let port = bound(to: 0) else { throw .configuration("There is no free port.") }
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

  /// Returns whether no process listens on a port.
  static func isFree(_ port: Int) -> Bool {
    UInt16(exactly: port).map { bound(to: $0) != nil } ?? false
  }

  /// Returns the first port on which no process listens.
  ///
  /// - Parameters:
  ///   - count: The number of ports to try.
  ///   - first: The first port to try.
  /// - Throws: ``HostError/configuration(_:)`` when all these ports are in use.
  public static func first(of count: Int, from first: Int) throws(HostError) -> Int {
    for port in first..<first + count where port <= 65_535 {
      if let free = bound(to: UInt16(port)) { return free }
    }
    throw .configuration("All \(count) ports from \(first) on are taken; give more, or others.")
  }

  /// - Parameter port: The port; 0 for any.
  /// - Returns: The port, or `nil` if another process listens on the port.
  private static func bound(to port: UInt16) -> Int? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Connections of an earlier listener in TIME_WAIT must not make the port look used.
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
}
