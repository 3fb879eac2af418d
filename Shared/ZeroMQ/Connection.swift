internal import CZeroMQ
internal import Glibc

/// One connection of a bound socket, by the number of its descriptor: what the events of a monitor
/// tell of.
///
/// The system gives a number again once its connection is closed, so a connection is forgotten with
/// its `disconnected` event.
public struct Connection: Hashable, Sendable {
  let descriptor: Int32

  /// Ends a tcp connection from this side, as if the network had: libzmq, whose it is, notices and
  /// tells of it with `disconnected`.
  ///
  /// The event of its end may be on its way, and its number another's by now. So nothing happens
  /// unless it is still a connection of this local port; whoever has that one connects again.
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
    // Both kinds of address have the port at the same place.
    let local = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        unsafe $0.pointee.sin_port
      }
    }
    guard UInt16(bigEndian: local) == port else { return }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
