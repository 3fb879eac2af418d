public import Signing
internal import Synchronization

/// The access keys as a gateway looks them up: read again whenever their file has changed, so that
/// a key that is made or disabled counts for the next request.
public final class AccessKeyRing: Sendable {
  private let file: AccessKeyFile
  private let known = Mutex(Known())

  private struct Known {
    var stamp: PrivateFile.Stamp?
    var keys: [String: AccessKey] = [:]
  }

  /// Looks keys up in a file; nothing is read yet.
  public init(_ file: AccessKeyFile) { self.file = file }

  /// An enabled key and its secret; `nil` for an unknown or disabled one.
  ///
  /// - Throws: ``StorageError/accessKeyFile(path:problem:)`` while the file cannot be used: keys
  ///   that were known count no more then, because one of them may have been disabled.
  public func key(_ id: String) throws(StorageError) -> (key: AccessKey, secret: SigningSecret)? {
    let stamp = try file.stamp()
    let found = try known.withLock { known throws(StorageError) in
      if known.stamp != stamp {
        // Read behind the stamp: what changes in between changes the stamp again.
        let keys = try file.keys()
        known = Known(
          stamp: stamp, keys: Dictionary(keys.map { ($0.id, $0) }) { first, _ in first })
      }
      return known.keys[id]
    }
    return found.flatMap { $0.isEnabled ? ($0, file.secret(of: $0.id)) : nil }
  }
}
