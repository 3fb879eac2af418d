internal import Glibc
internal import Synchronization

/// The exclusive right to bind an ipc endpoint. Only one process at a time has this right.
///
/// Before libzmq binds an ipc endpoint, libzmq unlinks the endpoint's path. Without a lock, a
/// second process that binds would silently take over the clients of the first process. Take this
/// lock before binding the socket, and release the lock after closing the socket.
///
/// When libzmq closes a socket, the socket's path remains. ``unlock()`` removes this path, so that
/// a process that stops leaves no socket behind.
///
/// The lock is a flock(2) on `<path>.lock`, and the system releases this lock when the process
/// ends. The lock file remains, because after its removal two processes could have the lock. For
/// tcp and inproc endpoints the lock does nothing, because a second bind fails there without a
/// lock.
public final class EndpointLock: Sendable {
  /// The endpoint that the lock protects.
  public let endpoint: Endpoint
  private let descriptor: Mutex<Int32?>

  /// Takes the lock, or fails without waiting.
  ///
  /// - Throws: ``ZeroMQError/endpointLocked(_:lockPath:holder:)`` when another process, or another
  ///   lock of this process, has the lock. ``ZeroMQError/endpointFailed(_:operation:code:)`` when
  ///   this process cannot open the file.
  public init(_ endpoint: Endpoint) throws(ZeroMQError) {
    self.endpoint = endpoint
    switch endpoint.transport {
    case .ipc(let path): descriptor = Mutex(try Self.lock("\(path).lock", for: endpoint))
    case .tcp, .inproc: descriptor = Mutex(nil)
    }
  }

  deinit { unlock() }

  /// Removes the socket at the endpoint's path and releases the lock; further calls do nothing.
  public func unlock() {
    let held = descriptor.withLock { $0.take() }
    guard let held else { return }
    // A process that binds the path later needs the lock first, so the socket at this path is still
    // our own.
    if case .ipc(let path) = endpoint.transport { Self.removeSocket(path) }
    // Closing the descriptor does not always release the lock. A child process between fork(2) and
    // execve(2) also has the descriptor, and would keep the lock until its execve(2).
    _ = flock(held, LOCK_UN)
    close(held)
  }

  private static func removeSocket(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    _ = unsafe unlink(path)
  }

  private static func lock(
    _ path: String, for endpoint: Endpoint
  ) throws(ZeroMQError) -> Int32 {
    let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw .endpointFailed(endpoint, operation: "Locking", code: errno)
    }
    var code: Int32 = 0
    repeat { code = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno } while code == EINTR
    guard code == 0 else {
      let holder = code == EWOULDBLOCK ? readHolder(descriptor) : nil
      close(descriptor)
      throw code == EWOULDBLOCK
        ? .endpointLocked(endpoint, lockPath: path, holder: holder)
        : .endpointFailed(endpoint, operation: "Locking", code: code)
    }
    writeHolder(descriptor)
    return descriptor
  }

  // The process id in the file only improves messages, so a failed write is no error.
  private static func writeHolder(_ descriptor: Int32) {
    let text = Array(EndpointLockOwner.own.text.utf8)
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = unsafe pwrite(descriptor, text, text.count, 0)
  }

  private static func readHolder(_ descriptor: Int32) -> Int32? {
    var text = [UInt8](repeating: 0, count: EndpointLockOwner.maximumBytes)
    let count = unsafe pread(descriptor, &text, text.count, 0)
    guard count > 0 else { return nil }
    let holder = EndpointLockOwner(String(decoding: text[..<count], as: UTF8.self))
    return holder?.processID(in: EndpointLockOwner.own.namespace)
  }
}
