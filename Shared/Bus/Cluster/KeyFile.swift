internal import Glibc
internal import Secrets

/// A stamp of a file. The stamp changes with the file's content.
public struct FileStamp: Hashable, Sendable {
  private let parts: [Int]

  /// - Returns: The stamp, or `nil` if there is no file.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    parts = [
      Int(truncatingIfNeeded: status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }
}

/// A file of keys.
enum KeyFile {
  /// Reads a file. Follows links, because orchestrators mount secrets as links.
  ///
  /// - Parameters:
  ///   - readers: The users, besides the owner, who may read the file.
  ///   - limit: The maximum number of bytes to read.
  /// - Returns: The content, or `nil` if there is no file.
  /// - Throws: ``KeyError/fileFailed(path:problem:)``.
  static func read(
    _ path: String, for readers: SecretFile.Readers, upTo limit: Int
  ) throws(KeyError) -> [UInt8]? {
    do throws(SecretFileError) {
      return try SecretFile(path, for: readers, limit: limit)?.bytes
    } catch {
      throw .fileFailed(path: path, problem: error.problem)
    }
  }

  /// Makes a file that only its owner can access.
  ///
  /// - Throws: ``KeyError/hasKeys(path:)`` if the file exists.
  static func create(_ path: String, with text: String) throws(KeyError) {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw errno == EEXIST
        ? .hasKeys(path: path) : .fileFailed(path: path, problem: reason(errno))
    }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard unsafe write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      let code = errno
      _ = unsafe unlink(path)
      throw .fileFailed(path: path, problem: reason(code))
    }
  }

  /// Waits for the lock on a file.
  ///
  /// - Returns: A descriptor. Closing the descriptor releases the lock.
  static func lock(_ path: String) throws(KeyError) -> Int32 {
    let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .fileFailed(path: path, problem: reason(errno)) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let code = errno
        close(descriptor)
        throw .fileFailed(path: path, problem: reason(code))
      }
    }
    return descriptor
  }

  /// Returns the meaning of an `errno` as a sentence.
  static func reason(_ code: Int32) -> String {
    unsafe String(cString: strerror(code)) + "."
  }
}
