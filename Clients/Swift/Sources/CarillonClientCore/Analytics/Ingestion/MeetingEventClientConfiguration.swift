public import Foundation

/// Sends events in the name of an attendee of a meeting.
public final class MeetingEventClientConfiguration: NSObject, EventClientConfiguration, Sendable {
  public let type = EventClientType.meet
  public let eventClientJoinToken: String
  public let tag = EventClientType.meet.description

  private let meetingId: String
  private let attendeeId: String

  /// The token is a secret.
  public init(eventClientJoinToken: String, meetingId: String, attendeeId: String) {
    self.eventClientJoinToken = eventClientJoinToken
    self.meetingId = meetingId
    self.attendeeId = attendeeId
  }

  /// The meeting's id and the attendee's.
  public var metadataAttributes: [String: Any] {
    [
      EventAttributeName.meetingId.description: meetingId,
      EventAttributeName.attendeeId.description: attendeeId,
    ]
  }
}
