internal import Glibc

/// The content of a file that contains a secret, or of a file that decides which peers this process
/// trusts. This type checks the file's permissions before it reads the file.
///
/// Every service checks these files by the same rules. This type follows symbolic links, because
/// certbot and orchestrators install secrets through links. The rules:
///
/// - The mode of the file allows reading only to its ``Readers``, and writing only to its owner.
///   The mode of a link does not matter.
/// - If the path has links, no other user can redirect the path. The group and other users must not
///   have write permission on the directories of the links and of the file. A sticky directory, for
///   example `/tmp`, is an exception. A link or file in a sticky directory must belong to this
///   user, to root or to the directory's owner. No other user can replace the link or file there
///   (`unlink(2)`), and Linux follows links in sticky directories by the same rule (`proc(5)`,
///   `protected_symlinks`).
///
/// Reading blocks. Do not read a file on a socket thread.
public struct SecretFile: Sendable {
  /// The users who may read a file.
  public enum Readers: Hashable, Sendable {
    /// The owner only. Exception: if the file belongs to root and this process does not run as
    /// root, the group may read the file. Orchestrators mount secrets that way.
    case owner
    /// The owner and the group.
    case group
    /// Everybody. The file is not secret, but only its owner may write to it.
    case everybody
  }

  /// The content of the file, up to the limit.
  public let bytes: [UInt8]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, or of a link to the file.
  ///   - readers: The users who may read the file.
  ///   - limit: The maximum number of bytes to read.
  /// - Returns: `nil` if the file does not exist.
  /// - Throws: ``SecretFileError`` if this process cannot read the file, or if the file breaks a
  ///   rule.
  public init?(_ path: String, for readers: Readers, limit: Int) throws(SecretFileError) {
    let user = geteuid()
    // This function resolves the path, and then opens the file. A certificate renewal can replace a
    // link in the meantime. So the function tries again until both steps find the same file.
    for _ in 0..<8 {
      guard let way = try TrustedPath(path, user: user) else { return nil }
      let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else {
        if errno == ENOENT { continue }
        throw .failed(call: "open", number: errno)
      }
      defer { close(descriptor) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else {
        throw .failed(call: "fstat", number: errno)
      }
      guard way.leads(to: status) else { continue }
      try Self.judge(status, as: way.name(of: path), for: readers, user: user)
      bytes = try Self.read(descriptor, limit: limit)
      return
    }
    guard let _ = try TrustedPath(path, user: user) else { return nil }
    throw SecretFileError("The file was replaced again and again while it was read; try again.")
  }

  private static func judge(
    _ status: stat, as name: String, for readers: Readers, user: uid_t
  ) throws(SecretFileError) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SecretFileError("\(name) is not a regular file; name a regular file.")
    }
    let mode = status.st_mode
    switch readers {
    case .owner:
      let isMounted = status.st_uid == 0 && user != 0
      guard mode & (isMounted ? 0o037 : 0o077) == 0 else {
        throw SecretFileError(
          """
          Users other than the owner may use \(name); run chmod 600 on it, and replace it if it \
          was exposed.
          """)
      }
    case .group:
      guard mode & 0o007 == 0 else {
        throw SecretFileError(
          "Everybody may read \(name); run chmod 640 on it, and replace it if it was exposed.")
      }
      fallthrough
    case .everybody:
      guard mode & 0o022 == 0 else {
        throw SecretFileError(
          "Users other than the owner may write to \(name); run chmod go-w on it.")
      }
    }
  }

  private static func read(
    _ descriptor: Int32, limit: Int
  ) throws(SecretFileError) -> [UInt8] {
    var content = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let more = unsafe content.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(
          descriptor, buffer.baseAddress?.advanced(by: count), limit - count)
      }
      if more < 0 && errno == EINTR { continue }
      guard more >= 0 else { throw .failed(call: "read", number: errno) }
      if more == 0 { break }
      count += more
    }
    return Array(content[..<count])
  }
}
