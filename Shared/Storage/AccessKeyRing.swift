public import Signing
internal import Synchronization

/// A gateway's cache of the access keys.
///
/// The cache reads the file again after each change of the file. So a new or disabled key takes
/// effect with the next request.
public final class AccessKeyRing: Sendable {
  private let file: AccessKeyFile
  private let known = Mutex(Known())

  private struct Known {
    var stamp: PrivateFile.Stamp?
    var keys: [String: AccessKey] = [:]
  }

  /// Creates a cache of a file's keys, without reading the file.
  public init(_ file: AccessKeyFile) { self.file = file }

  /// Returns an enabled key and its secret; `nil` for an unknown or disabled key.
  ///
  /// - Throws: ``StorageError/accessKeyFile(path:problem:)`` while the file is unusable. While the
  ///   file is unusable, the cache does not use its known keys, because an operator may have
  ///   disabled a known key.
  public func key(_ id: String) throws(StorageError) -> (key: AccessKey, secret: SigningSecret)? {
    let stamp = try file.stamp()
    let found = try known.withLock { known throws(StorageError) in
      if known.stamp != stamp {
        // This code reads the stamp before the file. If the file changes in between, the next call
        // finds another stamp, and reads the file again.
        let keys = try file.keys()
        known = Known(
          stamp: stamp, keys: Dictionary(keys.map { ($0.id, $0) }) { first, _ in first })
      }
      return known.keys[id]
    }
    return found.flatMap { $0.isEnabled ? ($0, file.secret(of: $0.id)) : nil }
  }
}
