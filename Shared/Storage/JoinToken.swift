internal import MeetingModel

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
