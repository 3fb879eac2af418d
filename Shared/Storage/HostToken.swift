public import MeetingModel

/// The secret, signed by a gateway, with which a host acts in one meeting.
///
/// The token contains a key's id, a meeting and two times, but no person. Anyone who has the token
/// is a host.
public struct HostToken: Hashable, Sendable {
  /// The token as text, for the owner of the token.
  ///
  /// Never log this text.
  public let text: String

  /// Wraps a text as a token, without validating it.
  public init(_ text: String) { self.text = text }

  /// Compares two tokens of the same length in constant time.
  public static func == (left: HostToken, right: HostToken) -> Bool {
    ConstantTime.areEqual(Array(left.text.utf8), Array(right.text.utf8))
  }

  /// Hashes exactly the bytes that equality compares.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension HostToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "HostToken(redacted)" }
  public var debugDescription: String { description }

  /// A mirror without children, so that a dump of a value with a token does not reveal the token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The contents of a host token with a valid signature.
public struct HostTokenClaims: Hashable, Sendable {
  public let meeting: MeetingID

  /// The time of issue, in seconds since 1970-01-01T00:00:00Z.
  public let issuedAt: Int64

  /// The time of expiry, in seconds since 1970-01-01T00:00:00Z: the first second in which the token
  /// is not valid.
  public let expiresAt: Int64

  public init(meeting: MeetingID, issuedAt: Int64, expiresAt: Int64) {
    (self.meeting, self.issuedAt, self.expiresAt) = (meeting, issuedAt, expiresAt)
  }
}

/// The reason why the server refuses a host token.
public enum HostTokenRefusal: String, Error, Hashable, Sendable, CaseIterable {
  /// The token has no signature of the installation's key, or somebody changed the token.
  case forged

  /// The token has a signature of another key, such as the key before a restore.
  case otherKey = "other_key"

  /// The token has expired.
  case expired

  /// The token belongs to another meeting.
  case otherMeeting = "other_meeting"
}
