public import MeetingModel

/// An attendee and the token it joins with.
public struct IssuedAttendee: Hashable, Sendable {
  /// The attendee.
  public var attendee: Attendee

  /// What the attendee proves itself with.
  public var joinToken: JoinToken
}

/// The attendees of a request: those that exist now, and those that no longer fitted.
public struct EnrolledAttendees: Hashable, Sendable {
  /// Those that exist now, in the order of the request, each once.
  public var attendees: [IssuedAttendee]

  /// Those that were asked for when the meeting was full.
  public var unplaced: [ExternalUserID]
}

/// A meeting that a request made, now or when it was sent the first time.
public struct CreatedMeeting: Hashable, Sendable {
  /// The meeting.
  public var meeting: Meeting

  /// The attendees that were made with it.
  public var enrolled: EnrolledAttendees

  /// Whether this call made it.
  public var isNew: Bool
}

/// A part of a list that is ordered by creation.
public struct Page<Element: Sendable>: Sendable {
  /// The elements, the oldest first.
  public var elements: [Element]

  /// Where the next page begins: pass it as `after`. `nil` on the last page, also a full one.
  ///
  /// It marks a position: what is deleted or made between two pages neither hides nor repeats
  /// others.
  public var next: Int64?
}

/// Why a meeting ends.
public enum EndCause: String, CaseIterable, Hashable, Sendable {
  /// Somebody deleted it.
  case deleted
  /// Nobody was in it for too long.
  case idle
  /// It reached its maximum age.
  case expired
  /// It was a replica and its primary ended.
  case primaryEnded
}

/// A meeting that has ended, or is due to.
public struct MeetingEnd: Hashable, Sendable {
  /// Which meeting it is.
  public var meeting: MeetingID

  /// Why it ends.
  public var cause: EndCause

  /// Says why a meeting ends.
  public init(meeting: MeetingID, cause: EndCause) {
    self.meeting = meeting
    self.cause = cause
  }
}

/// What a meeting, an attendee and a token together are good for.
public enum Admission: Hashable, Sendable {
  /// The token is the attendee's, and the meeting lives.
  case admitted(Meeting, Attendee)

  /// The token was the attendee's when the meeting ended, for this cause.
  case meetingEnded(EndCause)

  /// Anything else. That it does not say what, is the point.
  case refused
}
