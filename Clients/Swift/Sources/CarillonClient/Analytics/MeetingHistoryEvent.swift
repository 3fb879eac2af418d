public import Foundation

/// An event in the history of a session.
public final class MeetingHistoryEvent: NSObject, Sendable {
  public let meetingHistoryEventName: MeetingHistoryEventName

  /// When it happened, in milliseconds since 1970.
  public let timestampMs: Int64

  public init(meetingHistoryEventName: MeetingHistoryEventName, timestampMs: Int64) {
    self.meetingHistoryEventName = meetingHistoryEventName
    self.timestampMs = timestampMs
  }

  public override var description: String {
    "\(meetingHistoryEventName.description): \(timestampMs)"
  }
}
