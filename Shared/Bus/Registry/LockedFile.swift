internal import Glibc
internal import Synchronization

/// A file that this process locks with an open file description lock (fcntl(2)). The process has
/// the lock until it releases the lock or ends.
///
/// The type does not use flock(2), because another process can test a flock(2) lock only by taking
/// the lock. A test at the wrong moment would reject an instance that is just starting.
final class LockedFile: Sendable {
  private let path: String
  private let descriptor: Mutex<Int32?>

  /// Opens and locks a file; `nil` while another process has the lock.
  init?(locking path: String) throws(InstanceRegistryError) {
    self.path = path
    let opened = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { throw .fileFailed(path: path, operation: "Opening", code: errno) }
    var request = Self.wholeFile
    guard unsafe fcntl(opened, Self.setLock, &request) == 0 else {
      let code = errno
      close(opened)
      guard code == EAGAIN || code == EACCES else {
        throw .fileFailed(path: path, operation: "Locking", code: code)
      }
      return nil
    }
    descriptor = Mutex(opened)
  }

  deinit { release() }

  /// Returns whether a process has the lock.
  static func isLocked(_ path: String) -> Bool {
    let opened = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard opened >= 0 else { return false }
    defer { close(opened) }
    var request = wholeFile
    return unsafe fcntl(opened, getLock, &request) == 0 && request.l_type != Int16(F_UNLCK)
  }

  // F_OFD_GETLK and F_OFD_SETLK of <fcntl.h>. Swift cannot import these macros, because the header
  // defines the macros only with _GNU_SOURCE.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37

  private static var wholeFile: flock {
    var request = flock()
    request.l_type = Int16(F_WRLCK)
    request.l_whence = Int16(SEEK_SET)
    return request
  }

  /// Replaces the file's content, in place.
  func write(_ text: String) throws(InstanceRegistryError) {
    let bytes = Array(text.utf8)
    let code = descriptor.withLock { held -> Int32 in
      guard let held else { return 0 }
      guard unsafe pwrite(held, bytes, bytes.count, 0) == bytes.count,
        ftruncate(held, off_t(bytes.count)) == 0
      else { return errno }
      return 0
    }
    guard code == 0 else { throw .fileFailed(path: path, operation: "Writing", code: code) }
  }

  /// Releases the lock. A second call does nothing.
  func release() {
    guard let held = descriptor.withLock({ $0.take() }) else { return }
    // Closing the descriptor does not always release the lock. A child process between fork(2) and
    // execve(2) also has the descriptor, and would keep the lock until its execve(2).
    var request = Self.wholeFile
    request.l_type = Int16(F_UNLCK)
    _ = unsafe fcntl(held, Self.setLock, &request)
    close(held)
  }
}
