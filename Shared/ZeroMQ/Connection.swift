internal import CZeroMQ
internal import Glibc

/// One connection of a bound socket, by the number of its descriptor.
///
/// A router neither tells who is connected nor lets go of one peer. This does: monitor events and
/// messages name the connection they belong to, and ``hangUp(at:)`` ends it. The system gives a
/// number again once its connection is closed, so a connection is forgotten with its `disconnected`
/// event.
public struct Connection: Hashable, Sendable {
  let descriptor: Int32

  /// Ends the connection; the peer's socket sees it closed and `disconnected` follows.
  ///
  /// Nothing happens unless the descriptor is a connection that was accepted at one of `endpoints`:
  /// its number may have been given to something else before the event was read.
  ///
  /// - Returns: Whether the connection was there.
  @discardableResult
  public func hangUp(at endpoints: [Endpoint]) -> Bool {
    guard endpoints.contains(where: wasAccepted(at:)) else { return false }
    return shutdown(descriptor, Int32(SHUT_RDWR)) == 0
  }

  private func wasAccepted(at endpoint: Endpoint) -> Bool {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isKnown else { return false }
    switch (endpoint.transport, Int32(address.ss_family)) {
    case (.ipc(let path), AF_UNIX):
      return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr_un.self, capacity: 1) {
          // Never without an end: the storage is longer than the address, and began as zeros.
          unsafe withUnsafePointer(to: $0.pointee.sun_path) { name in
            unsafe name.withMemoryRebound(to: CChar.self, capacity: 108) {
              unsafe String(cString: $0) == path
            }
          }
        }
      }
    case (.tcp(_, let port), AF_INET), (.tcp(_, let port), AF_INET6):
      return unsafe withUnsafePointer(to: &address) { pointer in
        // The port is at the same place in both kinds of address.
        unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          unsafe UInt16(bigEndian: $0.pointee.sin_port) == port
        }
      }
    default:
      return false
    }
  }
}
