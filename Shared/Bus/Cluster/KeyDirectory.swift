internal import Glibc
internal import MeetingModel
internal import Secrets
public import ZeroMQ

/// The directory with a host's service key and the list of keys that may connect to the host's
/// services.
///
/// `service.key` is the secret key as text (32/Z85), and only its owner may read it. `allowed.keys`
/// is an ``AllowList``, which other users may read. All functions block, so do not call these
/// functions on a socket thread.
public struct KeyDirectory: Hashable, Sendable {
  /// The directory.
  public let path: String

  /// Refers to a directory. The directory may be missing.
  public init(_ path: String) { self.path = path }

  /// The file of the secret key.
  public var secretPath: String { path + "/service.key" }

  /// The file of the list.
  public var listPath: String { path + "/allowed.keys" }

  // MARK: Keys

  /// Reads the keys of this host's services; `nil` if the directory contains no keys.
  ///
  /// - Throws: ``KeyError/fileFailed(path:problem:)`` if users other than the owner can access the
  ///   file, or if the file contains no key.
  public func keys() throws(KeyError) -> CurveKeyPair? {
    guard let bytes = try KeyFile.read(secretPath, for: .owner, upTo: 256) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
    guard text.count == 1, let keys = CurveKeyPair(secretText: String(text[0])) else {
      throw .fileFailed(
        path: secretPath,
        problem: "The file must contain one key of 40 characters; see carillon keys init.")
    }
    return keys
  }

  /// Makes the directory, the keys of this host's services, and a list that allows these keys.
  ///
  /// - Parameter name: The name of the keys in the list.
  /// - Throws: ``KeyError/hasKeys(path:)`` if the directory already has keys.
  public func makeKeys(named name: String) throws(KeyError) -> AllowListEntry {
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .fileFailed(path: path, problem: KeyFile.reason(errno))
    }
    let keys = try makePair()
    let entry = try AllowListEntry(.service, keys.publicKey, name: name)
    // This method writes the list first, so that the list contains every key that exists.
    return try change { (list: inout AllowList) throws(KeyError) -> AllowListEntry in
      guard try KeyFile.read(secretPath, for: .owner, upTo: 256) == nil else {
        throw .hasKeys(path: secretPath)
      }
      try list.allow(entry)
      try KeyFile.create(secretPath, with: keys.secretText + "\n")
      return entry
    }
  }

  /// Makes a pair of keys whose public key begins with a letter, so that no command reads the key
  /// as a flag.
  private func makePair() throws(KeyError) -> CurveKeyPair {
    do throws(ZeroMQError) {
      while true {
        let keys = try CurveKeyPair()
        if keys.publicKey.text.first?.isLetter == true { return keys }
      }
    } catch {
      throw .fileFailed(path: secretPath, problem: error.message)
    }
  }

  // MARK: The list

  /// Reads the current list. The result is empty if there is no file.
  ///
  /// - Throws: ``KeyError/fileFailed(path:problem:)`` if users other than the owner may write to
  ///   the file. ``KeyError/tooLarge`` if the file is too large.
  public func list() throws(KeyError) -> AllowList {
    let bytes = try KeyFile.read(listPath, for: .everybody, upTo: AllowList.mostBytes + 1)
    guard let bytes else { return AllowList() }
    return try AllowList(parsing: bytes)
  }

  /// The stamp of the list's file; `nil` if there is no file. The stamp changes with the file's
  /// content.
  public var listStamp: FileStamp? { FileStamp(of: listPath) }

  /// Changes the list, one process at a time. Services apply the change within two seconds.
  ///
  /// - Throws: The error of `body`. The list is then unchanged.
  @discardableResult
  public func change<Result>(
    _ body: (inout AllowList) throws(KeyError) -> Result
  ) throws(KeyError) -> Result {
    let lock = try KeyFile.lock(path + "/.lock")
    defer { close(lock) }
    var list = try self.list()
    let isNew = list == AllowList()
    let result = try body(&list)
    do {
      try RegistryFileOperations.replace(listPath, with: (isNew ? Self.heading : "") + list.text)
    } catch {
      throw .fileFailed(path: listPath, problem: error.status.message)
    }
    return result
  }

  private static let heading = """
    # Who may connect over tcp: ROLE KEY NAME, and revoked behind it for who may no more.
    # Roles are service, client and operator. Services read it again when it changes.

    """
}
