import Glibc

/// A bare tcp connection to a local port. The connection sends invalid bytes or no bytes.
final class Stranger {
  struct Failure: Error { let code: Int32 }

  private let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(code: errno) }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  func send(_ bytes: [UInt8]) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Whether the other side has closed the connection.
  var isHungUp: Bool {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count == 0 { return true }
      if count < 0 { return errno != EAGAIN && errno != EINTR }
    }
  }

  func close() { _ = Glibc.close(descriptor) }

  /// Returns a greeting of ZMTP 3.1 for a mechanism (37/ZMTP).
  static func greeting(_ mechanism: String, isServer: Bool = false) -> [UInt8] {
    let name = Array(mechanism.utf8) + [UInt8](repeating: 0, count: 20 - mechanism.utf8.count)
    return [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 1] + name
      + [isServer ? 1 : 0] + [UInt8](repeating: 0, count: 31)
  }

  /// Greetings that the server refuses immediately, or after a timeout.
  static let greetings: [[UInt8]] = [
    [], [0], [0xff], Array("GET / HTTP/1.1\r\n\r\n".utf8),
    (0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) },
    greeting("NULL"), greeting("PLAIN"), greeting("GSSAPI"), greeting("curve"),
    greeting("CURVE"), greeting("CURVE", isServer: true),
    greeting("CURVE") + [4, 200] + [UInt8](repeating: 0, count: 200),
    greeting("CURVE") + [4, 6, 5] + Array("HELLO".utf8),
    greeting("CURVE") + [6, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff],
    greeting("PLAIN") + [4, 12, 5] + Array("HELLO".utf8) + [1, 97, 1, 98],
  ]
}
