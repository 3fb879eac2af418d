/// The name under which people see an attendee: text in any script.
///
/// A name has 1-64 grapheme clusters and at most 256 bytes of UTF-8. It has at least one visible
/// character, no control characters, no line breaks and no noncharacters. Each bidirectional
/// embedding, override and isolate (UAX #9) ends within the name, so that a name never reverses the
/// text around it.
///
/// A name does not identify an attendee: two attendees may have the same name.
public struct DisplayName: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of grapheme clusters in a name.
  public static let mostCharacters = 64

  /// The maximum number of bytes of a name in UTF-8.
  public static let mostBytes = 256

  /// The name; ``init(typed:composing:)`` stores the name in normalization form C.
  public let text: String

  public var description: String { text }

  /// Creates a name from stored or received text.
  ///
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` with the rule that `text` breaks.
  public init(_ text: String) throws(InvalidModelValue) {
    if let rule = Self.brokenRule(by: text) {
      throw .invalidValue(what: "display name", rule: rule)
    }
    self.text = text
  }

  /// Creates a name from typed text. Removes surrounding white space and normalizes the text.
  ///
  /// - Parameter composing: Converts text to normalization form C (UAX #15).
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` with the rule that the name breaks.
  public init(typed text: String, composing: (String) -> String) throws(InvalidModelValue) {
    // This code rejects text that is far too long before it normalizes the text.
    guard text.utf8.count <= 16 * Self.mostBytes else { throw Self.tooLong }
    let words = text.unicodeScalars.drop(while: \.properties.isWhitespace)
    let end = words.lastIndex { !$0.properties.isWhitespace }
    try self.init(composing(end.map { String(words[...$0]) } ?? ""))
  }

  /// Returns the name with a suffix, such as `Ada (2)`. If the result would be too long, this
  /// method shortens the name.
  ///
  /// If the shortened name has an unclosed bidirectional control, this method removes all
  /// bidirectional controls of the name.
  ///
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` if `suffix` leaves no room, or is not
  ///   allowed in a name.
  public func appending(_ suffix: String) throws(InvalidModelValue) -> DisplayName {
    if let whole = try? DisplayName(text + suffix) { return whole }
    let base = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isBidirectionalControl }))
    var count = min(base.count, Self.mostCharacters - suffix.count)
    while count > 0 {
      if let cut = try? DisplayName(String(base.prefix(count)) + suffix) { return cut }
      count -= 1
    }
    throw Self.tooLong
  }

  // MARK: Rules

  private static let tooLong = InvalidModelValue.invalidValue(
    what: "display name", rule: "at most \(mostCharacters) characters and \(mostBytes) bytes")

  /// Returns the broken rule, which completes "it must be …"; `nil` for a valid name.
  private static func brokenRule(by text: String) -> String? {
    guard text.utf8.count <= mostBytes, text.count <= mostCharacters else {
      return "at most \(mostCharacters) characters and \(mostBytes) bytes"
    }
    guard text.unicodeScalars.contains(where: \.isVisible) else {
      return "text with at least one visible character"
    }
    guard text.unicodeScalars.allSatisfy(\.mayBeInName) else {
      return "text without control characters and line breaks"
    }
    guard endsAllDirections(text) else {
      return "text that ends each bidirectional embedding, override and isolate that it begins"
    }
    return nil
  }

  /// Returns whether directional controls are properly nested and closed.
  private static func endsAllDirections(_ text: String) -> Bool {
    var open: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{202A}", "\u{202B}", "\u{202D}", "\u{202E}": open.append("\u{202C}")
      case "\u{2066}", "\u{2067}", "\u{2068}": open.append("\u{2069}")
      case "\u{202C}", "\u{2069}":
        guard open.popLast() == scalar else { return false }
      default: continue
      }
    }
    return open.isEmpty
  }
}

extension Unicode.Scalar {
  /// Whether the character starts or ends an embedding, an override or an isolate.
  fileprivate var isBidirectionalControl: Bool {
    (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
  }

  fileprivate var mayBeInName: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
    default: !properties.isNoncharacterCodePoint
    }
  }

  /// Whether the character is visible by itself. A combining mark is visible only with a letter.
  fileprivate var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate,
      .nonspacingMark, .enclosingMark:
      false
    default: !properties.isDefaultIgnorableCodePoint && value != 0x2800  // An empty braille cell.
    }
  }
}
