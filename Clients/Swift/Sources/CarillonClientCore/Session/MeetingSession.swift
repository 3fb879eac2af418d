/// One attendee's part in one meeting.
public protocol MeetingSession: AnyObject {
  /// Which meeting, as whom, and where.
  var configuration: MeetingSessionConfiguration { get }

  /// Where the session writes what it does.
  var logger: any Logger { get }

  /// Everything an application does in a meeting.
  var audioVideo: any AudioVideoFacade { get }

  /// Publishes client events and keeps their history.
  var eventAnalyticsController: any EventAnalyticsController { get }
}
