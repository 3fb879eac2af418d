/// A BCP 47 language code, such as `en-US`; letter case makes no difference.
public struct LanguageCode: ValidatedText {
  public static let noun = "language code"
  public static let rule =
    "2-8 letters, then parts of 1-8 letters or digits after hyphens, 35 characters at most"

  public let text: String

  public init(unchecked text: String) { self.text = text }

  public static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count <= 35, let language = parts.first else { return false }
    return (2...8).contains(language.utf8.count) && language.utf8.allSatisfy(isLetter)
      && parts.dropFirst().allSatisfy {
        (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { isLetter($0) || isDigit($0) }
      }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The language without region or script, in lower case.
  public var language: String {
    text.split(separator: "-").first.map { $0.lowercased() } ?? ""
  }

  /// Returns whether this code covers `other`. A code without a region covers all regions of its
  /// language.
  public func covers(_ other: LanguageCode) -> Bool {
    self == other || (!text.contains("-") && language == other.language)
  }

  /// Whether the language uses no spaces between words.
  public var hasNoSpaces: Bool { ["ja", "zh", "th"].contains(language) }

  public static func == (left: LanguageCode, right: LanguageCode) -> Bool {
    left.text.lowercased() == right.text.lowercased()
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
}
