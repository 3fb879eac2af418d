public import Foundation

/// The attendee who joins, and the secret that proves the right to join.
public final class MeetingSessionCredentials: NSObject, Codable, Sendable {
  /// The attendee's id in the meeting.
  public let attendeeId: String

  /// The application's own id of the attendee.
  public let externalUserId: String

  /// The secret that proves the right to join. Only the server can interpret the token. The library
  /// never logs the token.
  public let joinToken: String

  /// Creates credentials from the fields of `CreateAttendee`'s answer. The token is a secret.
  public init(attendeeId: String, externalUserId: String, joinToken: String) {
    self.attendeeId = attendeeId
    self.externalUserId = externalUserId
    self.joinToken = joinToken
  }
}
