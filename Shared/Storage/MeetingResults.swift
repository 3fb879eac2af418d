public import MeetingModel

/// An attendee and the token with which the attendee joins.
public struct IssuedAttendee: Hashable, Sendable {
  /// The attendee.
  public var attendee: Attendee

  /// The token with which the attendee joins.
  public var joinToken: JoinToken
}

/// The attendees of a request: the attendees that exist now, and the attendees that did not fit
/// into the meeting.
public struct CreateAttendeesResult: Hashable, Sendable {
  /// The existing attendees in the order of the request. Each attendee occurs once.
  public var attendees: [IssuedAttendee]

  /// The requested attendees for whom the meeting had no room.
  public var unplaced: [ExternalUserID]
}

/// A meeting that a request created, in this call or an earlier call.
public struct CreatedMeeting: Hashable, Sendable {
  /// The meeting.
  public var meeting: Meeting

  /// The attendees that the request created with the meeting.
  public var enrolled: CreateAttendeesResult

  /// Whether this call created the meeting.
  public var isNew: Bool
}

/// A part of a list in the order of creation.
public struct ResultPage<Element: Sendable>: Sendable {
  /// The elements, the oldest first.
  public var elements: [Element]

  /// The position of the next page. Pass this position as `after`. The value is `nil` on the last
  /// page, even if the last page is full.
  ///
  /// Deletions and creations between two pages neither hide nor repeat other elements.
  public var next: Int64?
}

/// The reason why a meeting ends.
public enum MeetingEndReason: String, CaseIterable, Hashable, Sendable {
  /// A request deleted the meeting.
  case deleted
  /// The meeting had no connected attendees for too long.
  case idle
  /// The meeting reached its maximum age.
  case expired
  /// The meeting was a replica, and its primary ended.
  case primaryEnded
}

/// A meeting that has ended, or that the store will end next.
public struct EndedMeeting: Hashable, Sendable {
  /// The meeting.
  public var meeting: MeetingID

  /// The cause of the end.
  public var cause: MeetingEndReason

  /// Creates the description of an ended meeting.
  public init(meeting: MeetingID, cause: MeetingEndReason) {
    self.meeting = meeting
    self.cause = cause
  }
}

/// The result of checking a meeting, an attendee and a token together.
public enum JoinCredentialsCheck: Hashable, Sendable {
  /// The token belongs to the attendee, and the meeting is live.
  case admitted(Meeting, Attendee)

  /// The token belonged to the attendee when the meeting ended with this cause.
  case meetingEnded(MeetingEndReason)

  /// The store refuses the token for any other reason. The result deliberately does not reveal the
  /// reason.
  case refused
}
