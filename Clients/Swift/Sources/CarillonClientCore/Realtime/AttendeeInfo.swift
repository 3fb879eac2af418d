public import Foundation

/// An attendee, under the meeting's id and under the application's.
///
/// Equal, hashed and ordered by `attendeeId` alone.
public final class AttendeeInfo: NSObject, Comparable, Sendable {
  /// The attendee's id in the meeting; that of a content share ends in `#content`.
  public let attendeeId: String

  /// The application's own id of the attendee.
  public let externalUserId: String

  /// What people call the attendee, in any script; the external user id of one that has no name. An
  /// addition of Carillon.
  public let displayName: String

  /// Makes an attendee from its two ids.
  public convenience init(attendeeId: String, externalUserId: String) {
    self.init(attendeeId: attendeeId, externalUserId: externalUserId, displayName: "")
  }

  /// Makes an attendee with a name of its own; an empty one is none. An addition of Carillon.
  public init(attendeeId: String, externalUserId: String, displayName: String) {
    self.attendeeId = attendeeId
    self.externalUserId = externalUserId
    self.displayName = displayName.isEmpty ? externalUserId : displayName
  }

  public override var hash: Int { attendeeId.hashValue }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? AttendeeInfo)?.attendeeId == attendeeId
  }

  public static func < (lhs: AttendeeInfo, rhs: AttendeeInfo) -> Bool {
    lhs.attendeeId < rhs.attendeeId
  }
}

/// What became of an attendee.
public enum AttendeeStatus: Int, CaseNamed {
  /// The attendee came into the meeting.
  case joined = 1
  /// Ended the session, or was taken out of the meeting.
  case left = 2
  /// Was lost by the network.
  case dropped = 3
}
