internal import Glibc

/// The process that listens on a Unix socket, as the kernel reports it.
///
/// A process id is valid only in its PID namespace. For example, the first process in each
/// container has the id 1. So this type asks the kernel, which translates ids between namespaces
/// (`SO_PEERCRED` in unix(7), pid_namespaces(7)).
package enum ListeningProcess: Hashable, Sendable {
  /// The listening process, by its id in this namespace.
  case process(Int32)
  /// A process in another container listens. This process cannot see the listening process.
  case hidden
  /// No process listens.
  case none

  /// Connects to the socket, and disconnects again.
  package init(at path: String) {
    let descriptor = socket(AF_UNIX, Self.kind, 0)
    guard descriptor >= 0 else {
      self = .none
      return
    }
    defer { close(descriptor) }
    let code = unsafe UnixAddress.withAddress(of: path) { address, length in
      unsafe connect(descriptor, address, length) == 0 ? 0 : errno
    }
    switch code {
    case 0: self = Self.peer(of: descriptor)
    case EAGAIN: self = .hidden  // The backlog is full, so the process remains unknown.
    default: self = .none
    }
  }

  private static let kind =
    Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

  private static func peer(of descriptor: Int32) -> ListeningProcess {
    var credentials: [Int32] = [0, 0, 0]  // struct ucred: process, user and group.
    var length = socklen_t(credentials.count * MemoryLayout<Int32>.size)
    let code = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    return code == 0 && credentials[0] > 0 ? .process(credentials[0]) : .hidden
  }
}
