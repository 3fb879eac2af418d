internal import Glibc

/// A file that holds a secret, or says whom to trust, read after it was judged.
///
/// One judge for every such file of every service. Symbolic links are followed, as certbot and
/// orchestrators mount secrets, and the file at their end is judged, not the links. The rules:
///
/// - The mode of the file lets in nobody but its ``Readers``, and lets nobody but its owner write.
/// - Where a path leads through links, nobody else may choose where: no directory that holds one
///   of the links, or the file at their end, may be written by its group or by everybody. A sticky
///   directory such as `/tmp` may, if the link or file in it belongs to this user, to root or to
///   the directory's owner: nobody else can replace it there (`unlink(2)`), and Linux follows links
///   in such directories by the same rule (`proc(5)`, `protected_symlinks`).
///
/// Reading blocks: call it away from a socket thread.
public struct SecretFile: Sendable {
  /// Who may read a file beside its owner.
  public enum Readers: Hashable, Sendable {
    /// Nobody. A file of root's may be read by its group, too, unless this process is root's: so
    /// orchestrators mount secrets for processes of other users.
    case owner
    /// Its group.
    case group
    /// Everybody: it is no secret, but nobody else may write to it.
    case everybody
  }

  /// What the file holds, up to the limit.
  public let bytes: [UInt8]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: Where it is, or a link to it.
  ///   - readers: Who may read it.
  ///   - limit: How many bytes are read at most.
  /// - Returns: `nil` if there is none.
  /// - Throws: ``SecretFileError`` if it cannot be read or should not be used.
  public init?(_ path: String, for readers: Readers, limit: Int) throws(SecretFileError) {
    let user = geteuid()
    // A link may be replaced between two looks, as renewals do: one look must have seen it all.
    for _ in 0..<8 {
      guard let way = try LinkedPath(path, user: user) else { return nil }
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
    guard let _ = try LinkedPath(path, user: user) else { return nil }
    throw SecretFileError("It was replaced again and again while it was read; try again.")
  }

  private static func judge(
    _ status: stat, as name: String, for readers: Readers, user: uid_t
  ) throws(SecretFileError) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SecretFileError("\(name) is not a regular file; name another.")
    }
    let mode = status.st_mode
    switch readers {
    case .owner:
      let isMounted = status.st_uid == 0 && user != 0
      guard mode & (isMounted ? 0o037 : 0o077) == 0 else {
        throw SecretFileError(
          "Others than its owner may use \(name); run chmod 600 on it, and replace it if it was "
            + "exposed.")
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
          "Others than its owner may write to \(name); run chmod go-w on it.")
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
