internal import CZeroMQ
internal import Glibc

/// A connection of a bound socket, identified by its descriptor as in monitor events.
///
/// The system reuses the descriptor of a closed connection, so release this value at the
/// `disconnected` event of the connection.
public struct BoundSocketConnection: Hashable, Sendable {
  let descriptor: Int32

  /// Shuts down a tcp connection as a network failure would. libzmq, which owns the connection,
  /// detects the failure and reports `disconnected`.
  ///
  /// While the event of the connection's end is pending, the connection's descriptor may already
  /// belong to another connection. So the call affects only connections whose local port is `port`.
  /// If the call cuts the wrong connection, the peer of that connection reconnects.
  public func cut(ofPort port: UInt16) {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isNamed = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe getsockname(descriptor, generic, &length) == 0
      }
    }
    let isInternet = [sa_family_t(AF_INET), sa_family_t(AF_INET6)].contains(address.ss_family)
    guard isNamed, isInternet else { return }
    // IPv4 and IPv6 addresses store the port at the same offset.
    let local = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        unsafe $0.pointee.sin_port
      }
    }
    guard UInt16(bigEndian: local) == port else { return }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
