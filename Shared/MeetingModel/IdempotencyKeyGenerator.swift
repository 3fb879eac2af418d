/// A generator of idempotency keys. The services recognise a repeated data message by its key.
///
/// A key must be unique among its sender's keys while the message log keeps the key. Keys are
/// short, because every process on a message's path forwards the key, and the log stores the key.
/// Swift stores a text of up to fifteen bytes inline, and the first 1,679,616 keys of a generator
/// have at most fifteen bytes.
public struct IdempotencyKeyGenerator: Sendable {
  private let prefix: String

  /// Creates a generator. All keys of this generator begin with the same 60 random bits, so these
  /// keys differ from the keys of other generators.
  public init() {
    let bits = UInt64.random(in: 0...UInt64.max)
    prefix = String((0..<10).map { Self.digits[Int(bits >> ($0 * 6) & 63)] })
  }

  /// Returns the key of a message.
  ///
  /// - Parameter number: The number of the message. The number must be unique.
  public func key(of number: UInt64) -> String { prefix + "-" + String(number, radix: 36) }

  /// The digits of Base64 for URLs (RFC 4648, §5).
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}
