public import Foundation

/// An event as a reporter gets it.
public final class SDKEvent: NSObject {
  /// The name of the case of `EventName` or `MeetingHistoryEventName`.
  public let name: String

  /// Keys are `EventAttributeName`.
  public let eventAttributes: [AnyHashable: Any]

  public init(eventName: EventName, eventAttributes: [AnyHashable: Any]) {
    name = eventName.description
    self.eventAttributes = eventAttributes
  }

  public init(
    meetingHistoryEventName: MeetingHistoryEventName, eventAttributes: [AnyHashable: Any]
  ) {
    name = meetingHistoryEventName.description
    self.eventAttributes = eventAttributes
  }
}
