/// Makes creating a meeting idempotent: the same token names the same meeting while it lives.
public struct ClientRequestToken: ValidatedText {
  public static let noun = "client request token"
  public static let rule = "2-64 letters, digits, - or _"

  public let text: String

  public init(unchecked text: String) { self.text = text }

  public static func isValid(_ text: String) -> Bool {
    matches(text, length: 2...64) { $0.isASCIIAlphanumeric || $0 == "-" || $0 == "_" }
  }
}
