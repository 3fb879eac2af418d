import Glibc
import Testing

@testable import ServiceHost

@Suite struct FreePortTests {
  @Test func `a port that another process has reserved is not chosen`() throws {
    let first = try #require(
      try FreePort.find(20).first { $0 < 65_000 && Self.isUnused($0) && Self.isUnused($0 + 1) })
    let reservation = Self.reserve(first)
    try #require(reservation >= 0)
    defer { close(reservation) }
    #expect(!FreePort.isFree(first))
    #expect(try FreePort.first(of: 20, from: first) > first)
  }

  @Test func `a process keeps the ports that it has reserved, and may choose them again`() throws {
    let port = try FreePort.first(of: 100, from: try FreePort.find() - 100)
    #expect(Self.reserve(port) < 0)
    #expect(try FreePort.first(of: 1, from: port) == port)
  }

  /// Reserves a port as another process does.
  ///
  /// - Returns: A file descriptor; -1 if the port is already reserved.
  private static func reserve(_ port: Int) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array("carillon-port-\(port)".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.dropFirst().copyBytes(from: name) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.count)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard code == 0 else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  private static func isUnused(_ port: Int) -> Bool {
    let reservation = reserve(port)
    if reservation >= 0 { close(reservation) }
    return reservation >= 0
  }
}
