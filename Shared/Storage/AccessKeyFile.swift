internal import Foundation
public import MeetingModel
internal import Secrets
public import Signing

/// The access keys of an installation: a JSON file that `carillon keys` writes and gateways read.
///
/// The file contains no secrets. The installation's key and a key's id determine the key's secret,
/// so the file alone does not permit signing.
///
/// Methods block while they access the small file. Each method throws
/// ``StorageError/accessKeyFile(path:problem:)`` when this process cannot read or write the file,
/// or when users other than the owner may use the file. Every method treats a missing file like a
/// file without keys.
public struct AccessKeyFile: Sendable {
  /// The path of the file.
  public let path: String
  private let installation: InstallationKey

  /// The maximum number of keys in a file.
  static let mostKeys = 1_000

  /// Creates a reference to a file, without reading the file.
  public init(path: String, installation: InstallationKey) {
    (self.path, self.installation) = (path, installation)
  }

  /// Returns all keys, including disabled keys, in order of creation.
  public func keys() throws(StorageError) -> [AccessKey] {
    let content: SecretFile?
    do throws(SecretFileError) {
      content = try SecretFile(path, for: .owner, limit: Self.largest + 1)
    } catch {
      throw problem(error.problem)
    }
    guard let content else { return [] }
    guard content.bytes.count <= Self.largest,
      let read = try? JSONDecoder().decode(Contents.self, from: Data(content.bytes)),
      read.version == 1, Set(read.keys.map(\.id)).count == read.keys.count
    else {
      throw problem(
        "The file does not contain access keys of this version; restore it from a backup.")
    }
    return read.keys
  }

  /// Creates a key.
  ///
  /// - Parameter now: The current time, in milliseconds since 1970-01-01T00:00:00Z.
  /// - Throws: ``StorageError/invalid(_:)`` for a name that breaks the rule.
  public func create(
    _ name: String, role: AccessRole = .all, tenant: TenantID? = nil, at now: Int64
  ) throws(StorageError) -> AccessKey {
    try change { keys throws(StorageError) in
      try Self.append(name, role, tenant, now, to: &keys)
    }
  }

  /// Returns the first key that has the given name. If no key has this name, creates a key that
  /// allows all operations.
  ///
  /// - Parameter now: The current time, in milliseconds since 1970-01-01T00:00:00Z.
  public func key(
    named name: String, at now: Int64
  ) throws(StorageError) -> AccessKey {
    try change { keys throws(StorageError) in
      if let key = keys.first(where: { $0.name == name }) { return key }
      return try Self.append(name, .all, nil, now, to: &keys)
    }
  }

  /// Disables a key for every gateway. Has no effect on a disabled key.
  ///
  /// - Throws: ``StorageError/accessKeyNotFound(_:)``.
  public func disable(_ id: String) throws(StorageError) -> AccessKey {
    try change { keys throws(StorageError) in
      guard let index = keys.firstIndex(where: { $0.id == id }) else {
        throw .accessKeyNotFound(id)
      }
      keys[index].isEnabled = false
      return keys[index]
    }
  }

  /// Returns the secret of a key: 40 characters that never change.
  public func secret(of id: String) -> SigningSecret {
    let code = installation.code(for: Self.label + Array(id.utf8))
    return SigningSecret(Base64URL.text(of: Array(code.prefix(30))))
  }

  /// Writes a key's secret to a file of mode 0600, from which programs of this user can read the
  /// secret.
  public func handOut(
    _ key: AccessKey, for endpoint: String, at path: String
  ) throws(StorageError) {
    let local = LocalAccessKey(endpoint: endpoint, keyID: key.id, secret: secret(of: key.id))
    do {
      try PrivateFile.replace(path, with: Array(JSONEncoder().encode(local)))
    } catch let failure as PrivateFile.Failure {
      throw .accessKeyFile(path: path, problem: "\(failure.text).")
    } catch {
      throw .internalFailure(cause: "\(error)")
    }
  }

  /// Removes the file that ``handOut(_:for:at:)`` wrote.
  public static func takeBack(_ path: String) { PrivateFile.remove(path) }

  /// Returns the file's stamp, which changes with the file's content; `nil` if there is no file.
  func stamp() throws(StorageError) -> PrivateFile.Stamp? {
    do { return try PrivateFile.stamp(of: path) } catch { throw unusable(error) }
  }

  // MARK: The file

  private struct Contents: Codable {
    var version = 1
    var keys: [AccessKey]
  }

  private static let label = Array("carillon access key 1\0".utf8)
  private static let largest = 1 << 20

  private static func append(
    _ name: String, _ role: AccessRole, _ tenant: TenantID?, _ now: Int64,
    to keys: inout [AccessKey]
  ) throws(StorageError) -> AccessKey {
    guard keys.count < mostKeys else {
      throw .invalid(.invalidValue(what: "number of keys", rule: "at most \(mostKeys) in a file"))
    }
    do {
      let key = try AccessKey(name: name, role: role, tenant: tenant, at: now)
      keys.append(key)
      return key
    } catch {
      throw .invalid(error)
    }
  }

  /// Reads, changes and writes the file under an exclusive lock.
  private func change<Value>(
    _ body: (inout [AccessKey]) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try PrivateFile.locked(path) { () throws(StorageError) in
      let before = try keys()
      var keys = before
      let value = try body(&keys)
      if keys != before { try write(keys) }
      return value
    } failing: {
      unusable($0)
    }
  }

  private func write(_ keys: [AccessKey]) throws(StorageError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      try PrivateFile.replace(path, with: Array(encoder.encode(Contents(keys: keys))) + [0x0A])
    } catch let failure as PrivateFile.Failure {
      throw unusable(failure)
    } catch {
      throw .internalFailure(cause: "\(error)")
    }
  }

  private func unusable(_ failure: PrivateFile.Failure) -> StorageError {
    problem("\(failure.text). Name a file in an existing directory that this user may write.")
  }

  private func problem(_ text: String) -> StorageError {
    .accessKeyFile(path: path, problem: text)
  }
}
