/// The access key that a gateway writes to its runtime directory, for command-line tools of the
/// same user.
///
/// The file is JSON with the members `endpoint`, `access_key_id` and `secret_access_key`.
public struct LocalAccessKey: Codable, Hashable, Sendable {
  /// The address of the gateway's control API, `http://HOST:PORT`.
  public let endpoint: String

  /// The public half of the key.
  public let keyID: String
  private let secretText: String

  /// The secret half of the key.
  public var secret: SigningSecret { SigningSecret(secretText) }

  /// Creates a key for one endpoint.
  public init(endpoint: String, keyID: String, secret: SigningSecret) {
    (self.endpoint, self.keyID, secretText) = (endpoint, keyID, secret.text)
  }

  /// The suffix of the file's name, after the name of the gateway's instance.
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

  /// A mirror without children, so that `dump` does not print the secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
