/// The session of one attendee in one meeting.
public protocol MeetingSession: AnyObject {
  /// The meeting, the attendee's credentials and the service URLs.
  var configuration: MeetingSessionConfiguration { get }

  /// The logger of the session.
  var logger: any Logger { get }

  /// The facade for everything that an application does in a meeting.
  var audioVideo: any AudioVideoFacade { get }

  /// The controller that publishes client events and keeps the history of these events.
  var eventAnalyticsController: any EventAnalyticsController { get }
}
