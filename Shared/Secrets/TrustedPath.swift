internal import Glibc

/// A path resolved link by link. This type rejects the path if another user could replace one of
/// the links.
struct TrustedPath {
  /// The resolved path, without symbolic links.
  private let end: String
  private let hasLinks: Bool
  private let device: dev_t
  private let inode: ino_t

  /// The maximum number of links, the same as in Linux (`path_resolution(7)`).
  private static let mostLinks = 40

  /// Resolves a path.
  ///
  /// - Parameter user: The user of this process.
  /// - Returns: `nil` if the path, or the target of a link, does not exist.
  /// - Throws: ``SecretFileError`` if another user could replace a link, or the file that the links
  ///   lead to.
  init?(_ path: String, user: uid_t) throws(SecretFileError) {
    var rest = Self.parts(of: path)
    var place = path.hasPrefix("/") ? "" : try Self.workingDirectory()
    var links = 0
    var found = stat()
    while let part = rest.popLast() {
      guard part != ".." else {
        place = Self.parent(of: place)
        continue
      }
      let entry = "\(place)/\(part)"
      guard unsafe lstat(entry, &found) == 0 else {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw .failed(call: "lstat", number: errno)
      }
      guard found.st_mode & S_IFMT == S_IFLNK else {
        place = entry
        continue
      }
      links += 1
      guard links <= Self.mostLinks else { throw .failed(call: "open", number: ELOOP) }
      try Self.judge(found, at: entry, in: place, user: user)
      let target = try Self.target(of: entry)
      if target.hasPrefix("/") { place = "" }
      rest += Self.parts(of: target)
    }
    end = place.isEmpty ? "/" : place
    guard unsafe lstat(end, &found) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .failed(call: "lstat", number: errno)
    }
    (hasLinks, device, inode) = (links > 0, found.st_dev, found.st_ino)
    if hasLinks { try Self.judge(found, at: end, in: Self.parent(of: end), user: user) }
  }

  /// Returns whether an open file is the file that the path resolved to.
  func leads(to status: stat) -> Bool { status.st_dev == device && status.st_ino == inode }

  /// Returns the file's name for error messages: "it", or the resolved path if there are links.
  func name(of path: String) -> String { hasLinks ? "\(end), to which it leads," : "it" }

  private static func judge(
    _ entry: stat, at path: String, in directory: String, user: uid_t
  ) throws(SecretFileError) {
    let directory = directory.isEmpty ? "/" : directory
    var holder = stat()
    guard unsafe stat(directory, &holder) == 0 else {
      throw .failed(call: "stat", number: errno)
    }
    guard holder.st_mode & 0o022 != 0 else { return }
    guard holder.st_mode & S_ISVTX != 0 else {
      throw SecretFileError(
        """
        Other users may write to \(directory), so they can replace \(path), which leads to the \
        file; run chmod go-w on the directory.
        """)
    }
    guard [0, user, holder.st_uid].contains(entry.st_uid) else {
      throw SecretFileError(
        """
        Other users may write to \(directory), and \(path) in it, which leads to the file, \
        belongs to user \(entry.st_uid); move it to a directory of your own.
        """)
    }
  }

  /// Returns the components of a path, the last component first.
  private static func parts(of path: String) -> [Substring] {
    path.split(separator: "/").filter { $0 != "." }.reversed()
  }

  private static func parent(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  private static func workingDirectory() throws(SecretFileError) -> String {
    guard let text = unsafe getcwd(nil, 0) else { throw .failed(call: "getcwd", number: errno) }
    defer { unsafe free(text) }
    let path = unsafe String(cString: text)
    return path == "/" ? "" : path
  }

  private static func target(of link: String) throws(SecretFileError) -> String {
    let longest = Int(PATH_MAX)
    var buffer = [CChar](repeating: 0, count: longest)
    let count = unsafe readlink(link, &buffer, longest)
    guard count >= 0 else { throw .failed(call: "readlink", number: errno) }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
