public import Foundation

/// An attendee, identified by an id in the meeting and by an id of the application.
///
/// Equality, hash and order depend on `attendeeId` alone.
public final class AttendeeInfo: NSObject, Comparable, Sendable {
  /// The attendee's id in the meeting. The id of a content share ends in `#content`.
  public let attendeeId: String

  /// The application's own id of the attendee.
  public let externalUserId: String

  /// The name that users see for the attendee, in any script. If the attendee has no name, this is
  /// the external user id.
  ///
  /// Carillon adds this property to the interface of the meetings SDK for iOS.
  public let displayName: String

  /// Creates an attendee from its two ids.
  public convenience init(attendeeId: String, externalUserId: String) {
    self.init(attendeeId: attendeeId, externalUserId: externalUserId, displayName: "")
  }

  /// Creates an attendee with a display name. An empty name means that the attendee has no name.
  /// Carillon adds this initializer to the interface of the meetings SDK for iOS.
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

/// The presence of an attendee.
public enum AttendeeStatus: Int, CaseNamed {
  /// The attendee joined the meeting.
  case joined = 1
  /// The attendee ended its session, or somebody removed the attendee from the meeting.
  case left = 2
  /// The attendee lost its connection.
  case dropped = 3
}
