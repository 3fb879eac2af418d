internal import Crypto
internal import Secrets

/// The one secret of an installation, which every gateway of it has: 32 random bytes in a file.
///
/// What it authenticates begins with a label, so that no use of it is taken for another.
public struct InstallationKey: Sendable {
  private let key: SymmetricKey

  private static let keySize = 32

  /// Reads the installation key; if there is no such file, makes one of mode 0600 with 32 random
  /// bytes. When several processes start together they all end up with the same key.
  ///
  /// Blocks for a moment: call it while the process starts.
  ///
  /// - Throws: ``StorageError/keyFile(path:problem:)`` if the file may be read by others than its
  ///   owner, is no regular file of exactly 32 bytes, or cannot be read or made.
  public init(file path: String) throws(StorageError) {
    key = SymmetricKey(data: try Self.readOrCreateKey(path))
  }

  /// The secret key of CURVE (26/CurveZMQ) by which each gateway of the installation is known to
  /// clients over tcp, 32 bytes.
  public var gatewayCurveSecret: [UInt8] { code(for: Array("carillon gateway curve key 1".utf8)) }

  /// The HMAC-SHA-256 of a message, 32 bytes.
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
      // Read it again: another process may have been faster.
      guard let bytes = try read(path) else {
        throw StorageError.keyFile(path: path, problem: "It vanished while being made; try again.")
      }
      return bytes
    } catch let error as StorageError {
      throw error
    } catch let failure as PrivateFile.Failure {
      throw .keyFile(
        path: path,
        problem: "\(failure.text). Name a file in an existing directory that this user may write, "
          + "or make a readable key there.")
    } catch {
      throw .internalFailure(cause: "\(error)")
    }
  }

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
        problem: "It must hold exactly \(keySize) random bytes; delete it to have a new key made, "
          + "which invalidates the join tokens and access keys given out.")
    }
    return bytes
  }
}
