/// Text that satisfies the rule of its type, kept exactly as it was given.
///
/// Lengths count Unicode code points. No type admits two spellings of one text, so equality of
/// Swift strings is equality code point by code point.
public protocol ValidatedText: Hashable, Sendable, CustomStringConvertible {
  /// What the text is, as in "external user id"; for error messages.
  static var noun: String { get }

  /// Completes "it must be …" in error messages.
  static var rule: String { get }

  /// Whether `text` satisfies the rule.
  static func isValid(_ text: String) -> Bool

  /// The text, as it was given.
  var text: String { get }

  /// Trusts its caller: use ``init(_:)``, which checks.
  init(unchecked text: String)
}

extension ValidatedText {
  /// - Throws: ``ModelError/invalidValue(what:rule:)`` if `text` breaks the rule.
  public init(_ text: String) throws(ModelError) {
    guard Self.isValid(text) else { throw .invalidValue(what: Self.noun, rule: Self.rule) }
    self.init(unchecked: text)
  }

  public var description: String { text }

  /// Whether `text` has so many code points, all of them allowed.
  static func matches(
    _ text: String, length: ClosedRange<Int>, allowing isAllowed: (Unicode.Scalar) -> Bool
  ) -> Bool {
    length.contains(text.unicodeScalars.count) && text.unicodeScalars.allSatisfy(isAllowed)
  }
}

extension Unicode.Scalar {
  /// `A–Z a–z 0–9`, nothing beyond ASCII.
  var isASCIIAlphanumeric: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }

  /// Space, tab, line feed, vertical tab, form feed or carriage return.
  var isASCIIWhitespace: Bool { self == " " || (0x09...0x0D).contains(value) }
}

extension String {
  /// Begins with `aws:` in any mixture of case: reserved by the original service.
  var hasReservedPrefix: Bool {
    unicodeScalars.prefix(4).lazy.map(\.lowercased).elementsEqual(["a", "w", "s", ":"])
  }
}

extension Unicode.Scalar {
  fileprivate var lowercased: String { properties.lowercaseMapping }
}
