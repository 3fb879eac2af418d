/// A token that makes the creation of a meeting idempotent. While the meeting is live, a second
/// request with the same token returns the same meeting.
public struct ClientRequestToken: ValidatedText {
  public static let noun = "client request token"
  public static let rule = "2-64 letters, digits, - or _"

  public let text: String

  public init(unchecked text: String) { self.text = text }

  public static func isValid(_ text: String) -> Bool {
    matches(text, length: 2...64) { $0.isASCIIAlphanumeric || $0 == "-" || $0 == "_" }
  }
}
