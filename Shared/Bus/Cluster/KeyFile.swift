internal import Glibc

/// What tells one content of a file from the next.
public struct FileStamp: Hashable, Sendable {
  private let parts: [Int]

  /// - Returns: `nil` if there is no file.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    parts = [
      Int(truncatingIfNeeded: status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }
}

/// A file of keys as it was read.
struct KeyFile {
  let bytes: [UInt8]
  private let mode: mode_t

  /// Reads a file; links are followed, as orchestrators mount secrets.
  ///
  /// - Parameter limit: How many bytes are read at most.
  /// - Returns: `nil` if there is none.
  /// - Throws: ``KeyError/fileFailed(path:problem:)``.
  init?(_ path: String, upTo limit: Int) throws(KeyError) {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .fileFailed(path: path, problem: Self.reason(errno))
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .fileFailed(path: path, problem: "It is no regular file.")
    }
    var content = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let more = unsafe content.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: count), limit - count, off_t(count))
      }
      guard more >= 0 else {
        if errno == EINTR { continue }
        throw .fileFailed(path: path, problem: Self.reason(errno))
      }
      guard more > 0 else { break }
      count += more
    }
    bytes = Array(content[..<count])
    mode = status.st_mode
  }

  var isOpenToOthers: Bool { mode & 0o077 != 0 }

  var isWritableByOthers: Bool { mode & 0o022 != 0 }

  /// Makes a file for its owner alone.
  ///
  /// - Throws: ``KeyError/hasKeys(path:)`` if it is there.
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

  /// Waits for its turn to change what a lock protects.
  ///
  /// - Returns: A descriptor; closing it ends the turn.
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

  /// What an `errno` means, as a sentence.
  static func reason(_ code: Int32) -> String {
    unsafe String(cString: strerror(code)) + "."
  }
}
