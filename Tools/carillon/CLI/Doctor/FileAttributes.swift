internal import Glibc

/// The facts about a file from stat(2).
struct FileAttributes: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case directory, regular, socket, link, other
  }

  let kind: Kind
  let owner: UInt32
  /// The permission bits, such as `0o700`.
  let mode: UInt32
  /// The size in bytes.
  let size: Int

  /// Reads the facts about a path. Does not follow a link.
  ///
  /// - Returns: `nil` if nothing is at the path, or if the path is unreadable.
  init?(at path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the facts about a path's target, through links.
  ///
  /// - Returns: `nil` if nothing is at the path, or if the path is unreadable.
  init?(following path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: .directory
      case S_IFREG: .regular
      case S_IFSOCK: .socket
      case S_IFLNK: .link
      default: .other
      }
    owner = status.st_uid
    mode = status.st_mode & 0o7777
    size = status.st_size
  }

  /// The mode as chmod(1) accepts it.
  var octalMode: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
