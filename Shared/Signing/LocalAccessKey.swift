/// The key that a gateway hands to the tools of its own user, by a file in the runtime directory.
///
/// The file is JSON with the members `endpoint`, `access_key_id` and `secret_access_key`.
public struct LocalAccessKey: Codable, Hashable, Sendable {
  /// Where the gateway serves the control API, `http://HOST:PORT`.
  public let endpoint: String

  /// The public half.
  public let keyID: String
  private let secretText: String

  /// The secret half.
  public var secret: SigningSecret { SigningSecret(secretText) }

  /// Puts a key and the place where it is good for together.
  public init(endpoint: String, keyID: String, secret: SigningSecret) {
    (self.endpoint, self.keyID, secretText) = (endpoint, keyID, secret.text)
  }

  /// The end of the file's name; before it stands the name of the gateway's instance.
  public static let fileSuffix = ".access-key.json"

  private enum CodingKeys: String, CodingKey {
    case endpoint
    case keyID = "access_key_id"
    case secretText = "secret_access_key"
  }
}

extension LocalAccessKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "LocalAccessKey(\(keyID) at \(endpoint))" }
  public var debugDescription: String { description }

  /// The mirror has no children, so that dumping it does not show the secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
