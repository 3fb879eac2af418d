internal import Crypto
internal import Secrets

/// The secret key of an installation, shared by all its gateways: 32 random bytes in a file.
///
/// Every authenticated message begins with a label, so that a code for one purpose is never valid
/// for another purpose.
public struct InstallationKey: Sendable {
  private let key: SymmetricKey

  private static let keySize = 32

  /// Reads the installation key, or creates its file with mode 0600 and 32 random bytes.
  ///
  /// Processes that start together all get the same key. Blocks briefly: call this initializer
  /// while the process starts.
  ///
  /// - Throws: ``StorageError/keyFile(path:problem:)`` if users other than the owner may read the
  ///   file, if the file is not a regular file of exactly 32 bytes, or if this process cannot read
  ///   or create the file.
  public init(file path: String) throws(StorageError) {
    key = SymmetricKey(data: try Self.readOrCreateKey(path))
  }

  /// The CURVE secret key (26/CurveZMQ) of 32 bytes. The key identifies the installation's gateways
  /// to clients over tcp.
  public var gatewayCurveSecret: [UInt8] { code(for: Array("carillon gateway curve key 1".utf8)) }

  /// Returns the HMAC-SHA-256 of a message, 32 bytes.
  func code(for message: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
  }

  private static func readOrCreateKey(_ path: String) throws(StorageError) -> [UInt8] {
    do {
      if let bytes = try read(path) { return bytes }
      var generator = SystemRandomNumberGenerator()
      let bytes: [UInt8] = (0..<keySize).map { _ in
        .random(in: .min ... .max, using: &generator)
      }
      try PrivateFile.create(path, holding: bytes)
      // Another process may have created the file first, so this process reads the file again.
      guard let bytes = try read(path) else {
        throw StorageError.keyFile(
          path: path, problem: "The file disappeared while it was created; try again.")
      }
      return bytes
    } catch let error as StorageError {
      throw error
    } catch let failure as PrivateFile.Failure {
      throw .keyFile(
        path: path,
        problem:
          """
          \(failure.text). Name a file in an existing directory that this user may write, or put \
          a readable key there.
          """)
    } catch {
      throw .internalFailure(cause: "\(error)")
    }
  }

  /// Reads the key.
  ///
  /// - Returns: `nil` if there is no such file.
  private static func read(_ path: String) throws(StorageError) -> [UInt8]? {
    let file: SecretFile?
    do throws(SecretFileError) {
      file = try SecretFile(path, for: .owner, limit: keySize + 1)
    } catch {
      throw .keyFile(path: path, problem: error.problem)
    }
    guard let bytes = file?.bytes else { return nil }
    guard bytes.count == keySize else {
      throw .keyFile(
        path: path,
        problem:
          """
          The file must contain exactly \(keySize) random bytes; restore it from a backup. If you \
          delete it, the next start makes a new key, and all join tokens and access keys become \
          invalid.
          """)
    }
    return bytes
  }
}
