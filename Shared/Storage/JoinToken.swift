internal import Crypto
public import MeetingModel

/// The secret with which an attendee joins. The token is unguessable, and descriptions never show
/// it.
public struct JoinToken: Hashable, Sendable {
  /// The token as text, for the owner of the token.
  ///
  /// Never log this text.
  public let text: String

  /// Wraps a text as a token, without validating it.
  public init(_ text: String) { self.text = text }

  /// The token without one `#content` at its end. A content share's token is the attendee's token
  /// with this suffix.
  public var base: JoinToken {
    text.hasSuffix(Self.contentSuffix)
      ? JoinToken(String(text.dropLast(Self.contentSuffix.count))) : self
  }

  /// The participant that the token names. Only a check of the token's code proves that the token
  /// is valid.
  ///
  /// `nil` for a malformed token, and for a token of an earlier version, which names no
  /// participant.
  public var participant: ParticipantID? {
    let base = base
    guard base.text.utf8.count == Self.length,
      let guid = Base64URL.bytes(of: base.text).flatMap({ GUID(bytes: Array($0.prefix(16))) })
    else { return nil }
    return ParticipantID(AttendeeID(guid), modality: base == self ? nil : .content)
  }

  /// The number of characters that encode the 16 bytes of the attendee id and the 32 bytes of the
  /// authentication code.
  private static let length = 64

  /// Returns a session id for a client that sends no session id. The client's token and a number
  /// determine the id.
  ///
  /// The client chooses the number, and uses the same number again when the client reconnects.
  /// Without the token, a client cannot guess the session id.
  public func session(numbered number: UInt64) -> SessionID? {
    let message = Self.label + (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    let code = HMAC<SHA256>.authenticationCode(
      for: message, using: SymmetricKey(data: Array(text.utf8)))
    return SessionID(bytes: Array(code.prefix(16)))
  }

  private static let label = Array("carillon session of a browser 1\0".utf8)

  /// Compares two tokens of the same length in constant time.
  public static func == (left: JoinToken, right: JoinToken) -> Bool {
    ConstantTime.areEqual(Array(left.text.utf8), Array(right.text.utf8))
  }

  /// Hashes exactly the bytes that equality compares. A hash of the Swift string would cover the
  /// normalised text instead.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  private static let contentSuffix = "#content"
}

extension JoinToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "JoinToken(redacted)" }
  public var debugDescription: String { description }

  /// A mirror without children, so that a dump of a value with a token does not reveal the token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
