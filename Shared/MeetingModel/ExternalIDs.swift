/// An external id. All three kinds of external id share one rule.
public protocol ExternalID: ValidatedText {}

extension ExternalID {
  public static var rule: String {
    "2-64 letters, digits, spaces, Latin-1 letters or "
      + "- _ & @ + = , ( ) { } [ ] / « » . : | ' \" #, and not begin with aws:"
  }

  public static func isValid(_ text: String) -> Bool {
    matches(text, length: 2...64) { scalar in
      scalar.isASCIIAlphanumeric || scalar.isASCIIWhitespace
        || ("\u{C0}"..."\u{FF}").contains(scalar) || marks.contains(scalar)
    } && !text.hasReservedPrefix
  }
}

private let marks = Set("-_&@+=,(){}[]/«».:|'\"#".unicodeScalars)

/// The application's own id of a user, which is unique within a meeting.
public struct ExternalUserID: ExternalID {
  public static let noun = "external user id"

  public let text: String

  public init(unchecked text: String) { self.text = text }
}

/// The application's own label for a meeting, which several meetings may share.
public struct ExternalMeetingID: ExternalID {
  public static let noun = "external meeting id"

  public let text: String

  public init(unchecked text: String) { self.text = text }
}

/// The id by which the application names the host of a meeting. Carillon only stores and returns
/// this id; the id has no other effect.
public struct MeetingHostID: ExternalID {
  public static let noun = "meeting host id"

  public let text: String

  public init(unchecked text: String) { self.text = text }
}
