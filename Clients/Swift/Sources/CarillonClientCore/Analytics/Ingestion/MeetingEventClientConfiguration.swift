public import Foundation

/// The client configuration of an attendee of a meeting.
public final class MeetingEventClientConfiguration: NSObject, EventClientConfiguration, Sendable {
  public let type = EventClientType.meet
  public let eventClientJoinToken: String
  public let tag = EventClientType.meet.description

  private let meetingId: String
  private let attendeeId: String

  /// Creates a configuration. The token is a secret.
  public init(eventClientJoinToken: String, meetingId: String, attendeeId: String) {
    self.eventClientJoinToken = eventClientJoinToken
    self.meetingId = meetingId
    self.attendeeId = attendeeId
  }

  /// The ids of the meeting and of the attendee.
  public var metadataAttributes: [String: Any] {
    [
      EventAttributeName.meetingId.description: meetingId,
      EventAttributeName.attendeeId.description: attendeeId,
    ]
  }
}
