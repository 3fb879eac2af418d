/// The short-term credentials of one side of ICE (RFC 8445, §5.3).
public struct ICECredentials: Hashable, Sendable {
  /// The username fragment, `a=ice-ufrag`: 4-256 characters.
  public let fragment: String

  /// The password, `a=ice-pwd`: 22-256 characters.
  public let password: String

  /// - Parameters:
  ///   - fragment: The username fragment.
  ///   - password: The password.
  public init(fragment: String, password: String) {
    (self.fragment, self.password) = (fragment, password)
  }

  /// Returns random credentials from the system's generator: a fragment of 48 bits and a password
  /// of 144 bits.
  public static func random() -> ICECredentials {
    ICECredentials(fragment: text(8), password: text(24))
  }

  private static func text(_ count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<count).map { _ in alphabet[Int.random(in: 0..<64, using: &generator)] })
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
