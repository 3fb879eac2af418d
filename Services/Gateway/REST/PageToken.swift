import MeetingModel
import Storage

/// An opaque token that contains the position before the next page of a list.
///
/// The form is `<position>.<code>`: the position as 16 hexadecimal digits, and an authentication
/// code. The code depends on the position, the list and the installation's key. So clients cannot
/// forge a token. All gateways accept the token, but only for the list that the token's code
/// covers.
struct PageToken {
  private let tokens: JoinTokenIssuer
  private let meeting: MeetingID
  private let list: String

  /// - Parameters:
  ///   - meeting: The meeting of the list; `nil` for a list of the whole installation.
  ///   - list: The name of the list; empty for attendees.
  init(_ tokens: JoinTokenIssuer, for meeting: MeetingID?, list: String = "") {
    self.tokens = tokens
    self.meeting = meeting ?? MeetingID(ParticipantID.nobody.attendee.guid)
    self.list = list
  }

  /// Returns the token for a position.
  func text(for position: Int64) -> String {
    let digits = String(UInt64(bitPattern: position), radix: 16)
    let padded = String(repeating: "0", count: 16 - digits.count) + digits
    return "\(padded).\(code(padded).text)"
  }

  /// Returns the position in the query's `next-token`; 0 if the query has none.
  ///
  /// - Throws: `BadRequestException` if the gateway did not issue the token for this list.
  func position(askedBy query: QueryParameters) throws(RESTError) -> Int64 {
    guard let token = try query.single("next-token") else { return 0 }
    guard let marked = position(in: token) else {
      throw RESTError(
        .badRequest, "next-token belongs to another list. List again without next-token.")
    }
    return marked
  }

  /// Returns the position in a token; `nil` if the gateway did not issue the token for this list.
  func position(in text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 16,
      code(String(parts[0])) == JoinToken(String(parts[1])),
      let number = UInt64(parts[0], radix: 16)
    else { return nil }
    return Int64(bitPattern: number)
  }

  /// Returns the authentication code of a position.
  ///
  /// The code never equals a join token, because the nonce of an attendee's token has a different
  /// length.
  private func code(_ position: String) -> JoinToken {
    tokens.token(
      meeting: meeting, attendee: AttendeeID(meeting.guid),
      nonce: Array("next page \(list)".utf8) + Array(position.utf8))
  }
}
