/// Text that satisfies the rule of its type, stored exactly as given.
///
/// Lengths count Unicode code points. No type allows two spellings of one text, so equal Swift
/// strings have the same code points.
public protocol ValidatedText: Hashable, Sendable, CustomStringConvertible {
  /// The name of the kind for error messages, as in "external user id".
  static var noun: String { get }

  /// The rule, which completes "it must be …" in error messages.
  static var rule: String { get }

  /// Returns whether `text` satisfies the rule.
  static func isValid(_ text: String) -> Bool

  /// The text as given.
  var text: String { get }

  /// Creates a value from text, without checking the text. Callers use ``init(_:)``, which checks
  /// the text.
  init(unchecked text: String)
}

extension ValidatedText {
  /// Creates a value from text.
  ///
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` if `text` breaks the rule.
  public init(_ text: String) throws(InvalidModelValue) {
    guard Self.isValid(text) else { throw .invalidValue(what: Self.noun, rule: Self.rule) }
    self.init(unchecked: text)
  }

  public var description: String { text }

  /// Returns whether `text` has an allowed length in code points, and contains only allowed code
  /// points.
  static func matches(
    _ text: String, length: ClosedRange<Int>, allowing isAllowed: (Unicode.Scalar) -> Bool
  ) -> Bool {
    length.contains(text.unicodeScalars.count) && text.unicodeScalars.allSatisfy(isAllowed)
  }
}

extension Unicode.Scalar {
  /// Whether the character is one of `A–Z a–z 0–9`.
  var isASCIIAlphanumeric: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }

  /// Whether the character is a space, tab, line feed, vertical tab, form feed or carriage return.
  var isASCIIWhitespace: Bool { self == " " || (0x09...0x0D).contains(value) }
}

extension String {
  /// Whether the text begins with `aws:` in any letter case. The original service reserves this
  /// prefix.
  var hasReservedPrefix: Bool {
    unicodeScalars.prefix(4).lazy.map(\.lowercased).elementsEqual(["a", "w", "s", ":"])
  }
}

extension Unicode.Scalar {
  fileprivate var lowercased: String { properties.lowercaseMapping }
}
