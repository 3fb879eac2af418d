internal import Foundation

/// A lock on an instance's name in the runtime directory. The lock prevents a second process from
/// using the same sockets.
///
/// The lock uses `flock(2)`, so the kernel releases the lock when the process ends, even after a
/// crash.
final class InstanceLock: Sendable {
  private let file: FileHandle

  /// Takes the lock.
  ///
  /// - Throws: ``HostError/inUse(_:)`` if another process has the lock, and
  ///   ``HostError/configuration(_:)`` if this process cannot open the file.
  init(at path: String, instance: String) throws(HostError) {
    // The write fails if the file already exists. This failure is not an error.
    try? Data().write(to: URL(filePath: path), options: .withoutOverwriting)
    guard let file = FileHandle(forUpdatingAtPath: path) else {
      throw .configuration("Cannot open the lock file \(path); check its owner and its mode.")
    }
    guard flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw .inUse(
        """
        Another process runs as \(instance) in this runtime directory; stop it, or choose another \
        --instance or --runtime-dir.
        """)
    }
    self.file = file
  }

  /// Releases the name.
  func release() {
    try? file.close()
  }
}
