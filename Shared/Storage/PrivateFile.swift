internal import Glibc

/// Files that only their owner may read; the one place in this module that calls the C library.
enum PrivateFile {
  /// What the C library said no to.
  struct Failure: Error {
    var call: String
    var number: Int32

    /// The failure in words, such as "open: Permission denied".
    var text: String {
      let reason = unsafe strerror(number).map { unsafe String(cString: $0) }
      return "\(call): \(reason ?? "error \(number)")"
    }
  }

  /// What was read, and who else may.
  struct Content {
    var bytes: [UInt8]
    var isRegular: Bool
    var isOpenToOthers: Bool
  }

  /// Reads at most `limit` bytes; `nil` if there is no such file.
  static func read(_ path: String, limit: Int) throws(Failure) -> Content? {
    // Non-blocking, so that a pipe in its place cannot hold up the start.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw Failure(call: "open", number: errno)
    }
    defer { close(file) }
    var attributes = stat()
    guard unsafe fstat(file, &attributes) == 0 else {
      throw Failure(call: "fstat", number: errno)
    }
    guard attributes.st_mode & S_IFMT == S_IFREG else {
      return Content(bytes: [], isRegular: false, isOpenToOthers: false)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: limit)
    while bytes.count < limit {
      let count = unsafe Glibc.read(file, &buffer, limit - bytes.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Failure(call: "read", number: errno) }
      if count == 0 { break }
      bytes += buffer.prefix(count)
    }
    return Content(
      bytes: bytes, isRegular: true,
      isOpenToOthers: attributes.st_mode & (S_IRWXG | S_IRWXO) != 0)
  }

  /// Creates a file of mode 0600 unless there is one, and returns when it is on the disk.
  ///
  /// Of several processes that do so at the same time one wins, and none ever sees a part of the
  /// content: it is written under another name, which link(2) makes visible at once.
  ///
  /// - Returns: Whether this call made the file.
  @discardableResult
  static func create(_ path: String, holding bytes: [UInt8]) throws(Failure) -> Bool {
    guard unsafe access(path, F_OK) != 0 else { return false }
    let draft = path + ".new-\(UInt64.random(in: .min ... .max))"
    let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
    guard file >= 0 else { throw Failure(call: "open", number: errno) }
    defer { _ = unsafe unlink(draft) }
    do {
      defer { close(file) }
      // The umask may have taken the owner's rights, too.
      guard fchmod(file, 0o600) == 0 else { throw Failure(call: "fchmod", number: errno) }
      try write(bytes, to: file)
      guard fsync(file) == 0 else { throw Failure(call: "fsync", number: errno) }
    }
    guard unsafe link(draft, path) == 0 else {
      if errno == EEXIST { return false }
      throw Failure(call: "link", number: errno)
    }
    try synchronizeDirectory(of: path)
    return true
  }

  private static func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe Glibc.write(file, rest, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Failure(call: "write", number: errno) }
      rest.removeFirst(count)
    }
  }

  private static func synchronizeDirectory(of path: String) throws(Failure) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let file = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw Failure(call: "open", number: errno) }
    defer { close(file) }
    // Some file systems cannot synchronise a directory (EINVAL); there is nothing more to do then.
    guard fsync(file) == 0 || errno == EINVAL else { throw Failure(call: "fsync", number: errno) }
  }
}
