internal import Glibc

/// Finds a free TCP port, before the addresses that carry it are needed.
///
/// Somebody may take it before it is used; whoever then listens says so.
public enum FreePort {
  /// A port that nobody listened on a moment ago.
  ///
  /// - Throws: ``HostError/configuration(_:)`` when the system has none.
  public static func find() throws(HostError) -> Int {
    guard let port = bound(to: 0) else { throw .configuration("There is no free port.") }
    return port
  }

  /// So many ports that nobody listened on a moment ago, each another one.
  static func find(_ count: Int) throws(HostError) -> [Int] {
    var ports: [Int] = []
    for _ in 0..<count * 20 where ports.count < count {
      let port = try find()
      if !ports.contains(port) { ports.append(port) }
    }
    return ports
  }

  /// Whether nobody listens on a port now.
  static func isFree(_ port: Int) -> Bool {
    UInt16(exactly: port).map { bound(to: $0) != nil } ?? false
  }

  /// The first port that nobody listens on.
  ///
  /// - Parameters:
  ///   - count: How many ports are looked at.
  ///   - first: The first of them.
  /// - Throws: ``HostError/configuration(_:)`` when all are taken.
  public static func first(of count: Int, from first: Int) throws(HostError) -> Int {
    for port in first..<first + count where port <= 65_535 {
      if let free = bound(to: UInt16(port)) { return free }
    }
    throw .configuration("All \(count) ports from \(first) on are taken; give more, or others.")
  }

  /// - Parameter port: 0: any.
  /// - Returns: The port, or `nil` if somebody listens on it.
  private static func bound(to port: UInt16) -> Int? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // What connections of a former listener left behind takes the port from nobody.
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
