public import MeetingModel

/// Derives and checks join tokens with the installation's key.
///
/// A token contains the sixteen bytes of the attendee's id and an HMAC-SHA-256 code, in unpadded
/// base64url form (RFC 4648, §5). The code covers a label, the bytes of the meeting's id and of the
/// attendee's id, and a random nonce. Browsers send nothing else that identifies their attendee.
///
/// The store contains only the nonces, from which a gateway can derive the token again. A stolen
/// database without the key gives no access. Every gateway of an installation has the same key.
public struct JoinTokenIssuer: Sendable {
  private let key: InstallationKey

  /// The host tokens of the same installation.
  public var hostTokens: HostTokenIssuer { HostTokenIssuer(key) }

  /// The appointments of hosts of the same installation.
  public var appointments: HostAppointmentIssuer { HostAppointmentIssuer(key) }

  /// The tickets of knocks at the same installation.
  public var knockTickets: KnockTicketSigner { KnockTicketSigner(key) }

  /// The size of a nonce in bytes.
  static let nonceSize = 16

  /// Creates tokens from a key.
  public init(_ key: InstallationKey) { self.key = key }

  /// Creates tokens from a key file, which ``InstallationKey/init(file:)`` reads or creates.
  public init(keyFile path: String) throws(StorageError) {
    self.init(try InstallationKey(file: path))
  }

  /// Returns the token of an attendee. The same nonce always gives the same token.
  public func token(meeting: MeetingID, attendee: AttendeeID, nonce: [UInt8]) -> JoinToken {
    let code = code(meeting, attendee, nonce)
    return JoinToken(Base64URL.text(of: attendee.guid.bytes + code))
  }

  private func code(_ meeting: MeetingID, _ attendee: AttendeeID, _ nonce: [UInt8]) -> [UInt8] {
    key.code(for: Self.label + meeting.guid.bytes + attendee.guid.bytes + nonce)
  }

  /// Returns, in constant time, whether `token` is the attendee's token, with or without `#content`
  /// at its end.
  ///
  /// A token of an earlier version, which contains only the code, is also valid.
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

  /// Returns the secret that signs deliveries to a receiver of events.
  ///
  /// As for a join token, a stored nonce and the installation's key determine the secret.
  func webhookSecret(of id: String, nonce: [UInt8]) -> [UInt8] {
    key.code(for: Array("carillon webhook secret 1\0".utf8) + Array(id.utf8) + nonce)
  }

  /// Returns a nonce for a new attendee.
  static func makeNonce() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<nonceSize).map { _ in .random(in: .min ... .max, using: &generator) }
  }

  /// The label that separates these authentication codes from other uses of the key.
  private static let label = Array("carillon join token 1\0".utf8)
}
