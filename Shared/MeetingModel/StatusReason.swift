/// The precise cause behind a ``Status``, for programs; its message is for people.
///
/// The raw values travel on the wire and never change.
public enum StatusReason: UInt32, CaseIterable, Hashable, Sendable {
  /// The code says it all.
  case unspecified = 0
  /// The client did not read fast enough for its byte budget.
  case slowConsumer = 1
  /// The client sent faster than the hard limit allows.
  case flooding = 2
  /// The meeting was deleted.
  case meetingDeleted = 3
  /// The attendee was deleted.
  case attendeeDeleted = 4
  /// The meeting ended by itself: empty for too long, too old, or its primary ended.
  case meetingExpired = 5
  /// The same attendee started a session elsewhere.
  case joinedElsewhere = 6
  /// The meeting holds as many attendees as it may.
  case meetingFull = 7
  /// Meeting, attendee and token do not belong together.
  case badCredentials = 8
  /// The peer speaks a version of the contract that is not served here.
  case unsupportedVersion = 9
  /// The bytes or a value in them break the rules of their type.
  case malformed = 10
  /// The request carries an older term than the owner's.
  case staleTerm = 11
  /// The process is shutting down and takes no new work.
  case draining = 12
  /// The connection did nothing for too long.
  case idle = 13
  /// An operator muted the attendee.
  case mutedByOperator = 14
  /// This instance does not own the meeting.
  case notOwner = 15
  /// The peer's keep-alives stopped coming.
  case keepAliveLost = 16
  /// The process has more work than it can queue.
  case overloaded = 17
  /// An operator ended the promotion.
  case demotedByOperator = 18
  /// An operator sent the attendee away.
  case barred = 19
  /// The meeting lets nobody new in.
  case meetingLocked = 20
}
