/// The precise cause of a ``Status``, for programs. The status's message is for people.
///
/// The raw values are part of the wire format and never change.
public enum StatusReason: UInt32, CaseIterable, Hashable, Sendable {
  /// The code alone describes the cause.
  case unspecified = 0
  /// The client exceeded its byte budget because it read too slowly.
  case slowConsumer = 1
  /// The client sent faster than the hard limit allows.
  case flooding = 2
  /// A control request deleted the meeting.
  case meetingDeleted = 3
  /// A control request deleted the attendee.
  case attendeeDeleted = 4
  /// The meeting ended without a request from an operator: it was empty for too long, it was too
  /// old, or its primary ended.
  case meetingExpired = 5
  /// The same attendee started a session elsewhere.
  case joinedElsewhere = 6
  /// The meeting has its maximum number of attendees.
  case meetingFull = 7
  /// The meeting, attendee and token do not match.
  case badCredentials = 8
  /// The peer uses an unsupported version of the contract.
  case unsupportedVersion = 9
  /// The bytes violate the rules of their type, or a value in the bytes violates the rules of the
  /// value's type.
  case malformed = 10
  /// The request carries a term that is older than the owner's term.
  case staleTerm = 11
  /// The process is shutting down and accepts no new work.
  case draining = 12
  /// The connection was idle for too long.
  case idle = 13
  /// An operator muted the attendee.
  case mutedByOperator = 14
  /// This instance does not own the meeting.
  case notOwner = 15
  /// The peer's keep-alives stopped arriving.
  case keepAliveLost = 16
  /// The process has more work than it can queue.
  case overloaded = 17
  /// An operator ended the promotion.
  case demotedByOperator = 18
  /// An operator barred the attendee.
  case barred = 19
  /// The meeting is locked: it admits no new attendees.
  case meetingLocked = 20
}
