/// A token that makes creating a meeting idempotent: it returns the same meeting while that is
/// live.
public struct ClientRequestToken: ValidatedText {
  public static let noun = "client request token"
  public static let rule = "2-64 letters, digits, - or _"

  public let text: String

  public init(unchecked text: String) { self.text = text }

  public static func isValid(_ text: String) -> Bool {
    matches(text, length: 2...64) { $0.isASCIIAlphanumeric || $0 == "-" || $0 == "_" }
  }
}
