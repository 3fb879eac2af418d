import MeetingModel
import Storage

/// Marks where the next page of a meeting's attendees begins, for clients that must not make one
/// up.
///
/// `<position>.<code>`: the position as 16 hexadecimal digits, and an authentication code over it
/// and the meeting by the installation's key, so that any gateway takes it and only for this
/// meeting.
struct PageToken {
  private let tokens: JoinTokens
  private let meeting: MeetingID

  init(_ tokens: JoinTokens, for meeting: MeetingID) {
    self.tokens = tokens
    self.meeting = meeting
  }

  /// The token for a position.
  func text(for position: Int64) -> String {
    let digits = String(UInt64(bitPattern: position), radix: 16)
    let padded = String(repeating: "0", count: 16 - digits.count) + digits
    return "\(padded).\(code(padded).text)"
  }

  /// The position that a token marks; `nil` unless it was made here for this meeting.
  func position(in text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 16,
      code(String(parts[0])) == JoinToken(String(parts[1])),
      let number = UInt64(parts[0], radix: 16)
    else { return nil }
    return Int64(bitPattern: number)
  }

  /// No join token is ever this: attendees have nonces of another length.
  private func code(_ position: String) -> JoinToken {
    tokens.token(
      meeting: meeting, attendee: AttendeeID(meeting.guid),
      nonce: Array("next page ".utf8) + Array(position.utf8))
  }
}
