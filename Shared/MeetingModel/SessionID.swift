/// The unguessable id of one client session: 128 random bits.
///
/// Every request after the session's first request carries the id, so the id is a secret.
/// Comparison takes constant time, and logs show only a quarter of the id.
public struct SessionID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Creates an id from its bytes; `nil` unless there are exactly sixteen.
  public init?(bytes: [UInt8]) { self.init(bytes: bytes.span) }

  /// Creates an id from its bytes; `nil` unless there are exactly sixteen.
  public init?(bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for offset in 0..<8 {
      words.high = words.high << 8 | UInt64(bytes[offset])
      words.low = words.low << 8 | UInt64(bytes[8 + offset])
    }
    (high, low) = (words.high, words.low)
  }

  /// The number of bytes on the wire.
  public static let byteCount = 16

  private init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  /// Returns the id of a new session, from the system's generator.
  public static func random() -> SessionID {
    var generator = SystemRandomNumberGenerator()
    return SessionID(high: generator.next(), low: generator.next())
  }

  /// The sixteen bytes on the wire.
  public var bytes: [UInt8] {
    [UInt8](capacity: Self.byteCount) { output in write(to: &output) }
  }

  /// Writes ``bytes`` to memory with room for sixteen bytes.
  public func write(to output: inout OutputSpan<UInt8>) {
    for offset in 0..<8 { output.append(UInt8(truncatingIfNeeded: high >> (56 - offset * 8))) }
    for offset in 0..<8 { output.append(UInt8(truncatingIfNeeded: low >> (56 - offset * 8))) }
  }

  /// Compares two ids in constant time.
  public static func == (left: SessionID, right: SessionID) -> Bool {
    (left.high ^ right.high) | (left.low ^ right.low) == 0
  }
}

extension SessionID: CustomStringConvertible {
  /// The text for logs: the first eight hexadecimal digits and an ellipsis.
  public var description: String {
    let digits = bytes.prefix(4).flatMap { [Hexadecimal.digit($0 >> 4), Hexadecimal.digit($0)] }
    return String(decoding: digits, as: UTF8.self) + "…"
  }
}
