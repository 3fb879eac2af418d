internal import Crypto
public import MeetingModel

/// What an attendee proves itself with: unguessable, and never shown by a description.
public struct JoinToken: Hashable, Sendable {
  /// The token itself, for the one who asked for it. Never log it.
  public let text: String

  /// Takes a text as a token; whether it is anybody's is not known here.
  public init(_ text: String) { self.text = text }

  /// The token without one `#content` at its end: what a content share's token is derived from.
  public var base: JoinToken {
    text.hasSuffix(Self.contentSuffix)
      ? JoinToken(String(text.dropLast(Self.contentSuffix.count))) : self
  }

  /// The participant that the token says it is of; whether it is, its code shows and not this.
  /// `nil` for a text that is no token, and for one of an earlier version, which did not say.
  public var participant: ParticipantID? {
    let base = base
    guard base.text.utf8.count == Self.length,
      let guid = Base64URL.bytes(of: base.text).flatMap({ GUID(bytes: Array($0.prefix(16))) })
    else { return nil }
    return ParticipantID(AttendeeID(guid), modality: base == self ? nil : .content)
  }

  /// Characters of 16 and 32 bytes.
  private static let length = 64

  /// The session of a client that can name none: of one attendee and one number that the client
  /// has chosen, and keeps when it comes back. Nobody can guess it who does not have the token.
  public func session(numbered number: UInt64) -> SessionID? {
    let message = Self.label + (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    let code = HMAC<SHA256>.authenticationCode(
      for: message, using: SymmetricKey(data: Array(text.utf8)))
    return SessionID(bytes: Array(code.prefix(16)))
  }

  private static let label = Array("carillon session of a browser 1\0".utf8)

  /// Takes the same time wherever two tokens of one length differ.
  public static func == (left: JoinToken, right: JoinToken) -> Bool {
    ConstantTime.areEqual(Array(left.text.utf8), Array(right.text.utf8))
  }

  /// Exactly the bytes that equality compares, which the text's own hash would normalise.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  private static let contentSuffix = "#content"
}

extension JoinToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "JoinToken(redacted)" }
  public var debugDescription: String { description }

  /// The mirror has no children, so that dumping whatever holds a token does not show it.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
