/// A GUID of 128 bits, written as 8-4-4-4-12 hexadecimal digits.
///
/// The type accepts any version and variant bits, and any letter case. ``text`` is in lower case.
public struct GUID: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  /// Parses exactly 36 characters; `nil` for any other text.
  public init?(_ text: String) { self.init(utf8: text.utf8.span) }

  /// Parses exactly 36 bytes as characters; `nil` for any other bytes.
  init?(utf8 bytes: Span<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for position in 0..<Self.length {
      let byte = bytes[position]
      if Self.hasHyphen(at: position) {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Hexadecimal.value(of: byte) else { return nil }
        words.high = words.high << 4 | words.low >> 60
        words.low = words.low << 4 | UInt64(digit)
      }
    }
    (high, low) = (words.high, words.low)
  }

  /// The number of characters of ``text``.
  static let length = 36

  /// The GUID with all bits zero, which identifies nothing.
  static let zero = GUID(high: 0, low: 0)

  /// Creates a GUID from exactly sixteen bytes, most significant first; `nil` for any other number
  /// of bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  /// Returns a new version-4 GUID from the system's generator (RFC 9562, §5.4).
  public static func random() -> GUID {
    var generator = SystemRandomNumberGenerator()
    return GUID(
      high: generator.next() & ~0xF000 | 0x4000,
      low: generator.next() & ~(0b11 << 62) | 0b10 << 62)
  }

  /// The text: 36 characters in lower case.
  public var text: String {
    let characters = characters
    do {
      return String(copying: try UTF8Span(validating: characters.span))
    } catch {
      preconditionFailure("Digits and hyphens are ASCII.")
    }
  }

  /// Appends ``text`` in UTF-8.
  public func append(to bytes: inout [UInt8]) {
    let characters = characters
    for index in characters.indices { bytes.append(characters[index]) }
  }

  /// The characters of ``text`` in ASCII. The type returns an inline array, because services
  /// convert ids for each message. An allocated array would cost as much as the text.
  public var characters: InlineArray<36, UInt8> {
    var characters = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
    var position = 0
    for index in 0..<32 {
      if Self.hasHyphen(at: position) { position += 1 }
      let word = index < 16 ? high : low
      characters[position] = Hexadecimal.digit(
        UInt8(truncatingIfNeeded: word >> (60 - index % 16 * 4)))
      position += 1
    }
    return characters
  }

  /// The sixteen bytes, most significant first.
  public var bytes: [UInt8] {
    [high, low].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - $0 * 8)) }
    }
  }

  private static func hasHyphen(at position: Int) -> Bool {
    position == 8 || position == 13 || position == 18 || position == 23
  }
}
