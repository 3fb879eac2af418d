/// Makes idempotency keys: each says of a data message that a repeat of it is the same.
///
/// A key must be unlike all others of its sender for as long as the log remembers it. Swift keeps
/// texts of up to fifteen bytes in place, and so these are no longer, up to the 1,679,616th of one
/// value: a key is on its way through every process a message passes, and stays in the log.
public struct IdempotencyKeys: Sendable {
  private let prefix: String

  /// Keys unlike those of every other value, by 60 random bits.
  public init() {
    let bits = UInt64.random(in: 0...UInt64.max)
    prefix = String((0..<10).map { Self.digits[Int(bits >> ($0 * 6) & 63)] })
  }

  /// The key of one message.
  ///
  /// - Parameter number: Another one for each message.
  public func key(of number: UInt64) -> String { prefix + "-" + String(number, radix: 36) }

  /// Those of Base64 for URLs (RFC 4648, §5).
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}
