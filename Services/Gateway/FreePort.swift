import Glibc
import MeetingModel

/// Finds a free TCP port for `--rest-port 0`, before the URLs that carry it are needed.
enum FreePort {
  /// A port of an IPv4 address that nobody listened on a moment ago.
  ///
  /// - Throws: `unavailable` when the system has none.
  static func find() throws(Status) -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Status(.unavailable, "No socket: errno \(errno).") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor, generic, length) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard isBound else { throw Status(.unavailable, "No free port: errno \(errno).") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
