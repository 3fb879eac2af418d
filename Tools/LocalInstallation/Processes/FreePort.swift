internal import Glibc
package import Output

/// Finds a TCP port that nobody listens on.
package enum FreePort {
  /// A port of 127.0.0.1 that the system gave out last, and is free again.
  ///
  /// A service that is to come back on the same port after it was killed cannot leave the choice to
  /// the system each time. If somebody takes the port before it is used, the service says so.
  package static func choose() throws(CommandFailure) -> UInt16 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw .precondition("No socket: errno \(errno).") }
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let isBound = unsafe bind(socket, address, length) == 0
        return isBound ? unsafe getsockname(socket, address, &length) : -1
      }
    }
    guard code == 0 else { throw .precondition("No free port on 127.0.0.1: errno \(errno).") }
    return UInt16(bigEndian: address.sin_port)
  }
}
