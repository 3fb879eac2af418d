/// The secret half of an access key. Descriptions of this value do not contain the secret.
public struct SigningSecret: Hashable, Sendable {
  /// The secret as text. Send this text only to the caller who requested the secret, and never log
  /// the text.
  public let text: String

  /// Wraps a text as a secret.
  public init(_ text: String) { self.text = text }
}

extension SigningSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "SigningSecret(redacted)" }
  public var debugDescription: String { description }

  /// A mirror without children, so that `dump` of a value with a secret does not print the secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
