/// The secret half of an access key, never shown by a description.
public struct SigningSecret: Hashable, Sendable {
  /// The secret itself, for the one who asked for it. Never log it.
  public let text: String

  /// Takes a text as a secret.
  public init(_ text: String) { self.text = text }
}

extension SigningSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "SigningSecret(redacted)" }
  public var debugDescription: String { description }

  /// The mirror has no children, so that dumping whatever holds a secret does not show it.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
