/// What authenticates checks of connectivity to one side (RFC 8445, §5.3).
struct ICECredentials: Hashable, Sendable {
  let fragment: String
  let password: String

  /// New ones, from the system's random numbers: 48 and 144 bits.
  static func random() -> ICECredentials {
    ICECredentials(fragment: text(8), password: text(24))
  }

  private static func text(_ count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<count).map { _ in alphabet[Int.random(in: 0..<64, using: &generator)] })
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
