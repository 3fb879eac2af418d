internal import Crypto
public import MeetingModel

/// Mints and checks join tokens with the installation's key.
///
/// A token is the unpadded base64url form (RFC 4648, §5) of an HMAC-SHA-256 over a label, the
/// meeting's and the attendee's sixteen bytes and a random nonce. Only nonces are stored: the
/// token can be given again, and whoever steals the database without the key can join nothing.
/// Every gateway of an installation has the same key.
public struct JoinTokens: Sendable {
  private let key: SymmetricKey

  /// Bytes of a nonce.
  static let nonceSize = 16

  private static let keySize = 32

  /// Reads the installation key; if there is no such file, makes one of mode 0600 with 32 random
  /// bytes. When several processes start together they all end up with the same key.
  ///
  /// Blocks for a moment: call it while the process starts.
  ///
  /// - Throws: ``StorageError/keyFile(path:problem:)`` if the file may be read by others than its
  ///   owner, is no regular file of exactly 32 bytes, or cannot be read or made.
  public init(keyFile path: String) throws(StorageError) {
    key = SymmetricKey(data: try Self.readOrCreateKey(path))
  }

  /// The token of an attendee, always the same for the same nonce.
  public func token(meeting: MeetingID, attendee: AttendeeID, nonce: [UInt8]) -> JoinToken {
    let message = Self.label + meeting.guid.bytes + attendee.guid.bytes + nonce
    let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
    return JoinToken(Base64URL.text(of: Array(code)))
  }

  /// Whether `token` is the attendee's, with or without `#content` at its end. Constant-time.
  public func isValid(
    _ token: JoinToken, meeting: MeetingID, attendee: AttendeeID, nonce: [UInt8]
  ) -> Bool {
    token.base == self.token(meeting: meeting, attendee: attendee, nonce: nonce)
  }

  /// A new attendee's nonce.
  static func makeNonce() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<nonceSize).map { _ in .random(in: .min ... .max, using: &generator) }
  }

  /// Keeps these authentication codes apart from any other use of the key.
  private static let label = Array("carillon join token 1\0".utf8)

  private static func readOrCreateKey(_ path: String) throws(StorageError) -> [UInt8] {
    do {
      if let content = try PrivateFile.read(path, limit: keySize + 1) {
        return try checked(content, path)
      }
      var generator = SystemRandomNumberGenerator()
      let bytes: [UInt8] = (0..<keySize).map { _ in
        .random(in: .min ... .max, using: &generator)
      }
      try PrivateFile.create(path, holding: bytes)
      // Read it again: another process may have been faster.
      guard let content = try PrivateFile.read(path, limit: keySize + 1) else {
        throw StorageError.keyFile(path: path, problem: "It vanished while being made; try again.")
      }
      return try checked(content, path)
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

  private static func checked(
    _ content: PrivateFile.Content, _ path: String
  ) throws(StorageError) -> [UInt8] {
    guard content.isRegular else {
      throw .keyFile(path: path, problem: "It is no regular file; name another.")
    }
    guard !content.isOpenToOthers else {
      throw .keyFile(
        path: path,
        problem: "Others than its owner may use it; run chmod 600 on it, and if it was exposed, "
          + "delete it to have a new key made.")
    }
    guard content.bytes.count == keySize else {
      throw .keyFile(
        path: path,
        problem: "It must hold exactly \(keySize) random bytes; delete it to have a new key made, "
          + "which invalidates the join tokens given out.")
    }
    return content.bytes
  }
}
