internal import Glibc

/// Files that only their owner may read, as they are made and changed; the one place in this module
/// that calls the C library. `SecretFile` reads them.
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

  /// Creates a file of mode 0600 unless there is one, and returns when it is on the disk.
  ///
  /// Of several processes that do so at the same time one wins, and none ever sees a part of the
  /// content: it is written under another name, which link(2) makes visible at once.
  ///
  /// - Returns: Whether this call made the file.
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

  /// Puts a file of mode 0600 in the place of the one that is there, if any, and returns when it is
  /// on the disk. Who reads meanwhile gets the whole old content or the whole new one.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let draft = draftPath(of: path)
    defer { _ = unsafe unlink(draft) }
    try makeDraft(draft, holding: bytes, isGivenAway: true)
    guard unsafe rename(draft, path) == 0 else { throw Failure(call: "rename", number: errno) }
    try synchronizeDirectory(of: path)
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// The file beside `path` that ``locked(_:within:_:failing:)`` locks.
  static func lock(of path: String) -> String { path + ".lock" }

  /// Overwrites the contents of a file that is there. Who reads meanwhile may get a part of them.
  static func overwrite(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let file = unsafe open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw Failure(call: "open", number: errno) }
    defer { close(file) }
    try write(bytes, to: file)
    guard fsync(file) == 0 else { throw Failure(call: "fsync", number: errno) }
  }

  /// The first 64 bytes of a file, or all if there are fewer.
  static func start(of path: String) throws(Failure) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw Failure(call: "open", number: errno) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(file, &bytes, bytes.count)
    guard count >= 0 else { throw Failure(call: "read", number: errno) }
    return Array(bytes.prefix(count))
  }

  /// Holds a lock that one process has at a time, on a file beside `path`, during `body`.
  ///
  /// - Parameter timeout: How long to wait for who holds it, such as a process that was frozen.
  static func locked<Value, Problem: Error>(
    _ path: String, within timeout: Duration = .seconds(60),
    _ body: () throws(Problem) -> Value, failing: (Failure) -> Problem
  ) throws(Problem) -> Value {
    let file: Int32
    do throws(Failure) { file = try openLock(lock(of: path)) } catch { throw failing(error) }
    // Closing it lets go of the lock.
    defer { close(file) }
    let deadline = ContinuousClock.now + timeout
    // flock(2) has no timeout, and who holds the lock may be frozen: it is tried again and again.
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let reason = errno
      guard reason == EINTR || reason == EWOULDBLOCK && ContinuousClock.now < deadline else {
        throw failing(Failure(call: "flock", number: reason))
      }
      usleep(5_000)
    }
    return try body()
  }

  /// What tells one content of a file from another.
  struct Stamp: Hashable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    var changed: [Int]
  }

  /// `nil` if there is no such file.
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
    // What somebody else put there is neither followed nor given away.
    let found = unsafe open(path, flags)
    guard found >= 0 else { throw Failure(call: "open", number: errno) }
    return found
  }

  /// Gives a file that root has just made to the owner of its directory: the services run as that
  /// one, and an operator may be root.
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
    // The umask may have taken the owner's rights, too.
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
    // Some file systems cannot synchronise a directory (EINVAL); there is nothing more to do then.
    guard fsync(file) == 0 || errno == EINVAL else { throw Failure(call: "fsync", number: errno) }
  }
}
