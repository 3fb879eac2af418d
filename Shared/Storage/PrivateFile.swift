internal import Glibc

/// Creates and changes files that only their owner may read; `SecretFile` reads these files.
///
/// This type is the only code in this module that calls the C library.
enum PrivateFile {
  /// A failed call of the C library.
  struct Failure: Error {
    var call: String
    var number: Int32

    /// The failure as text, such as "open: Permission denied".
    var text: String {
      let reason = unsafe strerror(number).map { unsafe String(cString: $0) }
      return "\(call): \(reason ?? "error \(number)")"
    }
  }

  /// Creates a file with mode 0600 unless it exists, and returns when the file is durable.
  ///
  /// If several processes call this method at the same time, only one creates the file. No process
  /// sees partial content: the type writes the content under another name, and link(2) makes the
  /// content visible atomically.
  ///
  /// - Returns: Whether this call created the file.
  @discardableResult
  static func create(_ path: String, holding bytes: [UInt8]) throws(Failure) -> Bool {
    guard unsafe access(path, F_OK) != 0 else { return false }
    let draft = draftPath(of: path)
    defer { _ = unsafe unlink(draft) }
    try makeDraft(draft, holding: bytes)
    guard unsafe link(draft, path) == 0 else {
      if errno == EEXIST { return false }
      throw Failure(call: "link", number: errno)
    }
    try synchronizeDirectory(of: path)
    return true
  }

  /// Creates or atomically replaces a file with mode 0600, and returns when the file is durable.
  ///
  /// A concurrent reader gets either the whole old or the whole new content.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let draft = draftPath(of: path)
    defer { _ = unsafe unlink(draft) }
    try makeDraft(draft, holding: bytes, isGivenAway: true)
    guard unsafe rename(draft, path) == 0 else { throw Failure(call: "rename", number: errno) }
    try synchronizeDirectory(of: path)
  }

  /// Removes a file, if it exists.
  static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Returns the path of the file, in the directory of `path`, that ``locked(_:within:_:failing:)``
  /// locks.
  static func lock(of path: String) -> String { path + ".lock" }

  /// Overwrites the content of an existing file. A concurrent reader may get partial content.
  static func overwrite(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let file = unsafe open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw Failure(call: "open", number: errno) }
    defer { close(file) }
    try write(bytes, to: file)
    guard fsync(file) == 0 else { throw Failure(call: "fsync", number: errno) }
  }

  /// Returns the first 64 bytes of a file, or all bytes of a shorter file.
  static func start(of path: String) throws(Failure) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw Failure(call: "open", number: errno) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(file, &bytes, bytes.count)
    guard count >= 0 else { throw Failure(call: "read", number: errno) }
    return Array(bytes.prefix(count))
  }

  /// Runs `body` while this process has an exclusive lock on a file in the directory of `path`.
  ///
  /// - Parameter timeout: The longest time to wait for the lock. The wait needs a limit, because
  ///   the process that has the lock may be suspended.
  static func locked<Value, Problem: Error>(
    _ path: String, within timeout: Duration = .seconds(60),
    _ body: () throws(Problem) -> Value, failing: (Failure) -> Problem
  ) throws(Problem) -> Value {
    let file: Int32
    do throws(Failure) { file = try openLock(lock(of: path)) } catch { throw failing(error) }
    // Closing the file releases the lock.
    defer { close(file) }
    let deadline = ContinuousClock.now + timeout
    // flock(2) has no timeout, and the process that has the lock may be suspended. So this
    // loop repeats a call that does not block.
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let reason = errno
      guard reason == EINTR || reason == EWOULDBLOCK && ContinuousClock.now < deadline else {
        throw failing(Failure(call: "flock", number: reason))
      }
      usleep(5_000)
    }
    return try body()
  }

  /// The attributes that distinguish one content of a file from another.
  struct Stamp: Hashable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    var changed: [Int]
  }

  /// Returns the stamp of a file; `nil` if there is no such file.
  static func stamp(of path: String) throws(Failure) -> Stamp? {
    var attributes = stat()
    guard unsafe stat(path, &attributes) == 0 else {
      if errno == ENOENT { return nil }
      throw Failure(call: "stat", number: errno)
    }
    return Stamp(
      device: UInt64(attributes.st_dev), inode: UInt64(attributes.st_ino),
      size: Int64(attributes.st_size),
      changed: [attributes.st_mtim, attributes.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] })
  }

  private static func draftPath(of path: String) -> String {
    path + ".new-\(UInt64.random(in: .min ... .max))"
  }

  private static func openLock(_ path: String) throws(Failure) -> Int32 {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
    let made = unsafe open(path, flags | O_CREAT | O_EXCL, mode_t(0o600))
    guard made < 0 else {
      do {
        try giveAway(made, in: directory(of: path))
        return made
      } catch {
        close(made)
        throw error
      }
    }
    guard errno == EEXIST else { throw Failure(call: "open", number: errno) }
    // With O_NOFOLLOW, this code neither follows nor chowns a link from another user.
    let found = unsafe open(path, flags)
    guard found >= 0 else { throw Failure(call: "open", number: errno) }
    return found
  }

  /// Makes the owner of the file's directory the owner of the file, if root created the file.
  ///
  /// The services run as that user, but the operator may be root.
  private static func giveAway(_ file: Int32, in directory: String) throws(Failure) {
    guard geteuid() == 0 else { return }
    var attributes = stat()
    guard unsafe stat(directory, &attributes) == 0 else {
      throw Failure(call: "stat", number: errno)
    }
    guard fchown(file, attributes.st_uid, attributes.st_gid) == 0 else {
      throw Failure(call: "fchown", number: errno)
    }
  }

  private static func directory(of path: String) -> String {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  private static func makeDraft(
    _ draft: String, holding bytes: [UInt8], isGivenAway: Bool = false
  ) throws(Failure) {
    let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
    guard file >= 0 else { throw Failure(call: "open", number: errno) }
    defer { close(file) }
    // The umask may also have removed permissions of the owner.
    guard fchmod(file, 0o600) == 0 else { throw Failure(call: "fchmod", number: errno) }
    if isGivenAway { try giveAway(file, in: directory(of: draft)) }
    try write(bytes, to: file)
    guard fsync(file) == 0 else { throw Failure(call: "fsync", number: errno) }
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
    let file = unsafe open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw Failure(call: "open", number: errno) }
    defer { close(file) }
    // Some file systems cannot synchronise a directory (EINVAL). There is no remedy for this.
    guard fsync(file) == 0 || errno == EINVAL else { throw Failure(call: "fsync", number: errno) }
  }
}
