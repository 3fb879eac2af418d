internal import Glibc
internal import MeetingModel
internal import Secrets
public import ZeroMQ

/// Where a host keeps the key by which its services are known to those of other hosts, and the list
/// of keys that may connect to them.
///
/// `service.key` is the secret key as text (32/Z85), for its owner alone; `allowed.keys` is an
/// ``AllowList``, which others than its owner may read. All of it blocks: call it away from a
/// socket thread.
public struct KeyDirectory: Hashable, Sendable {
  /// The directory.
  public let path: String

  /// A directory that may be or not.
  public init(_ path: String) { self.path = path }

  /// The file of the secret key.
  public var secretPath: String { path + "/service.key" }

  /// The file of the list.
  public var listPath: String { path + "/allowed.keys" }

  // MARK: Keys

  /// The keys of this host's services; `nil`: it has none.
  ///
  /// - Throws: ``KeyError/fileFailed(path:problem:)`` if others than the owner may use the file, or
  ///   it holds no key.
  public func keys() throws(KeyError) -> SocketKeyPair? {
    guard let bytes = try KeyFile.read(secretPath, for: .owner, upTo: 256) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
    guard text.count == 1, let keys = SocketKeyPair(secretText: String(text[0])) else {
      throw .fileFailed(
        path: secretPath, problem: "It must hold one key of 40 characters; see carillon keys init.")
    }
    return keys
  }

  /// Makes the directory, the keys of this host's services and a list in which they are allowed.
  ///
  /// - Parameter name: What they are called in the list.
  /// - Throws: ``KeyError/hasKeys(path:)`` if there are keys.
  public func makeKeys(named name: String) throws(KeyError) -> AllowedKey {
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .fileFailed(path: path, problem: KeyFile.reason(errno))
    }
    let keys = try makePair()
    let entry = try AllowedKey(.service, keys.publicKey, name: name)
    // The list first: whoever has keys is in it.
    return try change { (list: inout AllowList) throws(KeyError) -> AllowedKey in
      guard try KeyFile.read(secretPath, for: .owner, upTo: 256) == nil else {
        throw .hasKeys(path: secretPath)
      }
      try list.allow(entry)
      try KeyFile.create(secretPath, with: keys.secretText + "\n")
      return entry
    }
  }

  /// A new pair whose public key no command takes for a flag.
  private func makePair() throws(KeyError) -> SocketKeyPair {
    do throws(ZeroMQError) {
      while true {
        let keys = try SocketKeyPair()
        if keys.publicKey.text.first?.isLetter == true { return keys }
      }
    } catch {
      throw .fileFailed(path: secretPath, problem: error.message)
    }
  }

  // MARK: The list

  /// The list as it is now; an empty one if there is no file.
  ///
  /// - Throws: ``KeyError/fileFailed(path:problem:)`` if others than the owner may write to it, and
  ///   ``KeyError/tooLarge``.
  public func list() throws(KeyError) -> AllowList {
    let bytes = try KeyFile.read(listPath, for: .everybody, upTo: AllowList.mostBytes + 1)
    guard let bytes else { return AllowList() }
    return try AllowList(parsing: bytes)
  }

  /// What tells one content of the list's file from the next; `nil`: there is none.
  public var listStamp: FileStamp? { FileStamp(of: listPath) }

  /// Changes the list, one process at a time; services take it in within a second or two.
  ///
  /// - Throws: What `body` throws, and then nothing is changed.
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
      try RegistryFile.replace(listPath, with: (isNew ? Self.heading : "") + list.text)
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
