/// The id by which the application names a tenant of a meeting. Carillon stores and returns this
/// id.
public struct TenantID: ValidatedText {
  public static let noun = "tenant id"
  public static let rule = "2-256 letters, digits or - _ ! @ # $, none four times in a row"

  public let text: String

  public init(unchecked text: String) { self.text = text }

  public static func isValid(_ text: String) -> Bool {
    matches(text, length: 2...256) { $0.isASCIIAlphanumeric || marks.contains($0) }
      && longestRun(in: text) < 4
  }

  private static let marks = Set("-_!@#$".unicodeScalars)

  private static func longestRun(in text: String) -> Int {
    var (longest, current): (Int, Int) = (0, 0)
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      current = scalar == previous ? current + 1 : 1
      longest = max(longest, current)
      previous = scalar
    }
    return longest
  }
}
