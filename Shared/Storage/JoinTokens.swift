public import MeetingModel

/// Mints and checks join tokens with the installation's key.
///
/// A token is the unpadded base64url form (RFC 4648, §5) of the attendee's sixteen bytes and an
/// HMAC-SHA-256 over a label, the meeting's and the attendee's bytes and a random nonce. Browsers
/// send nothing else that says who they are. Only nonces are stored: the token can be given again,
/// and whoever steals the database without the key can join nothing. Every gateway of an
/// installation has the same key.
public struct JoinTokens: Sendable {
  private let key: InstallationKey

  /// Bytes of a nonce.
  static let nonceSize = 16

  /// Mints tokens with this key.
  public init(_ key: InstallationKey) { self.key = key }

  /// Mints tokens with the key in a file, as ``InstallationKey/init(file:)`` reads or makes it.
  public init(keyFile path: String) throws(StorageError) {
    self.init(try InstallationKey(file: path))
  }

  /// The token of an attendee, always the same for the same nonce.
  public func token(meeting: MeetingID, attendee: AttendeeID, nonce: [UInt8]) -> JoinToken {
    let code = code(meeting, attendee, nonce)
    return JoinToken(Base64URL.text(of: attendee.guid.bytes + code))
  }

  private func code(_ meeting: MeetingID, _ attendee: AttendeeID, _ nonce: [UInt8]) -> [UInt8] {
    key.code(for: Self.label + meeting.guid.bytes + attendee.guid.bytes + nonce)
  }

  /// Whether `token` is the attendee's, with or without `#content` at its end. Constant-time.
  ///
  /// A token of earlier versions, which is the code alone, is the attendee's as well.
  public func isValid(
    _ token: JoinToken, meeting: MeetingID, attendee: AttendeeID, nonce: [UInt8]
  ) -> Bool {
    let code = code(meeting, attendee, nonce)
    let (own, former) = (
      JoinToken(Base64URL.text(of: attendee.guid.bytes + code)),
      JoinToken(Base64URL.text(of: code))
    )
    let base = token.base
    return (base == own) != (base == former)
  }

  /// What is sent to a receiver of events is signed by this: like join tokens it is made of what is
  /// stored and the installation's key.
  func webhookSecret(of id: String, nonce: [UInt8]) -> [UInt8] {
    key.code(for: Array("carillon webhook secret 1\0".utf8) + Array(id.utf8) + nonce)
  }

  /// A new attendee's nonce.
  static func makeNonce() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<nonceSize).map { _ in .random(in: .min ... .max, using: &generator) }
  }

  /// Keeps these authentication codes apart from any other use of the key.
  private static let label = Array("carillon join token 1\0".utf8)
}
