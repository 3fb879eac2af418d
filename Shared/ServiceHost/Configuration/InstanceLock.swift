internal import Foundation

/// A lock on an instance's name in the runtime directory, so that no second process takes its
/// sockets.
///
/// The lock is `flock(2)`'s: the kernel releases it when the process ends in any way.
final class InstanceLock: Sendable {
  private let file: FileHandle

  /// Takes the lock.
  ///
  /// - Throws: ``HostError/configuration(_:)`` if another process holds it.
  init(at path: String, instance: String) throws(HostError) {
    // Fails if the file exists, which is fine.
    try? Data().write(to: URL(filePath: path), options: .withoutOverwriting)
    guard let file = FileHandle(forUpdatingAtPath: path) else {
      throw .configuration("Cannot open \(path); check who owns it.")
    }
    guard flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw .configuration(
        "Another process runs as \(instance) here; stop it, or choose another --instance.")
    }
    self.file = file
  }

  /// Releases the name.
  func release() {
    try? file.close()
  }
}
