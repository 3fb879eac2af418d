import Foundation
import TestSupport
import Testing

@testable import LocalInstallation

@Suite struct DeadlineStreamSocketTests {
  /// Returns a resolver that answers with fixed addresses for every host.
  private func resolver(_ addresses: [HostAddress]) -> HostResolver {
    HostResolver { _, _ in addresses }
  }

  private func deadline(_ limit: Duration) -> ContinuousClock.Instant { .now + limit }

  private let anywhere = HTTPAddress.tcp(host: "carillon.example", port: 80)

  @Test func `a slow name lookup ends at the deadline`() throws {
    let stuck = HostResolver { _, _ in
      sleep(3)
      return []
    }
    let began = ContinuousClock.now
    #expect(throws: HTTPError.timedOut) {
      _ = try DeadlineStreamSocket(
        connectingTo: anywhere, deadline: deadline(.milliseconds(50)), resolver: stuck)
    }
    #expect(ContinuousClock.now - began < .seconds(2))
  }

  @Test func `a host without an address cannot be reached`() throws {
    #expect(throws: HTTPError.cannotConnect("the host name carillon.example has no address")) {
      _ = try DeadlineStreamSocket(
        connectingTo: anywhere, deadline: deadline(.seconds(30)), resolver: resolver([]))
    }
  }

  @Test func `if this machine lacks the family of an address, the next address is tried`()
    throws
  {
    let listener = try LoopbackListener()
    let unopenable = HostAddress(family: 9_999, bytes: listener.address.bytes)
    let found = resolver([unopenable, listener.address])
    _ = try DeadlineStreamSocket(
      connectingTo: anywhere, deadline: deadline(.seconds(30)), resolver: found)
  }

  @Test func `if an address refuses the connection, the next address is tried`() throws {
    let closed = try LoopbackListener().address
    let listener = try LoopbackListener()
    let found = resolver([closed, listener.address])
    _ = try DeadlineStreamSocket(
      connectingTo: anywhere, deadline: deadline(.seconds(30)), resolver: found)
  }

  @Test func `the system's resolver accepts numeric IPv4 and IPv6 addresses`() throws {
    let limit = deadline(.seconds(30))
    let four = try HostResolver.system.addresses(of: "127.0.0.1", port: 80, deadline: limit)
    let six = try HostResolver.system.addresses(of: "::1", port: 80, deadline: limit)
    #expect(four.map(\.family) == [AF_INET])
    #expect(six.map(\.family) == [AF_INET6])
  }

  @Test func `if the backlog of a Unix socket stays full, the wait ends at the deadline`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/full.sock"
      let listener = try UnixBacklog(at: path)
      let address = HTTPAddress.unixSocket(path: path)
      let first = try DeadlineStreamSocket(connectingTo: address, deadline: deadline(.seconds(30)))
      #expect(throws: HTTPError.timedOut) {
        _ = try DeadlineStreamSocket(connectingTo: address, deadline: deadline(.milliseconds(50)))
      }
      _ = consume first
      listener.acceptOne()
      _ = try DeadlineStreamSocket(connectingTo: address, deadline: deadline(.seconds(30)))
    }
  }
}

/// A TCP listener on a free port of 127.0.0.1.
private final class LoopbackListener {
  let address: HostAddress
  private let descriptor: Int32

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    var own = sockaddr_in()
    own.sin_family = sa_family_t(AF_INET)
    own.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &own) { own in
      unsafe own.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
        unsafe bind(descriptor, own, length) + listen(descriptor, 8)
          + getsockname(descriptor, own, &length)
      }
    }
    try #require(code == 0)
    address = HostAddress(
      family: AF_INET, bytes: unsafe withUnsafeBytes(of: &own) { unsafe Array($0) })
  }

  deinit { close(descriptor) }
}

/// A Unix socket that accepts connections on demand. The backlog of the socket has room for one
/// connection.
private final class UnixBacklog {
  private let descriptor: Int32

  init(at path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    let code = unsafe UnixAddress.withAddress(of: path) { address, length in
      unsafe bind(descriptor, address, length) + listen(descriptor, 0)
    }
    try #require(code == 0)
  }

  func acceptOne() { close(accept(descriptor, nil, nil)) }

  deinit { close(descriptor) }
}
