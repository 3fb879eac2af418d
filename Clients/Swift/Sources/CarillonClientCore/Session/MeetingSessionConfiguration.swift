public import Foundation

/// The meeting that a session joins, the attendee's credentials and the service URLs.
public final class MeetingSessionConfiguration: NSObject, Sendable {
  /// The meeting's id.
  public let meetingId: String

  /// The application's own id of the meeting.
  public let externalMeetingId: String?

  /// The credentials of the attendee who joins.
  public let credentials: MeetingSessionCredentials

  /// The URLs of the meeting's services, as ``urlRewriter`` returned them.
  public let urls: MeetingSessionURLs

  /// The rewriter of URLs. The rewriter also rewrites the addresses that the server sends later.
  public let urlRewriter: URLRewriter

  /// The video resolutions that the meeting allows.
  public let meetingFeatures: MeetingFeatures

  /// The id of the primary meeting, if this meeting is a replica.
  public let primaryMeetingId: String?

  /// Creates a configuration with unchanged URLs, from the responses of the control API to
  /// CreateMeeting and CreateAttendee.
  public convenience init(
    createMeetingResponse: CreateMeetingResponse, createAttendeeResponse: CreateAttendeeResponse
  ) {
    self.init(
      createMeetingResponse: createMeetingResponse, createAttendeeResponse: createAttendeeResponse,
      urlRewriter: URLRewriterUtils.defaultUrlRewriter)
  }

  /// Creates a configuration with rewritten URLs, from the responses of the control API to
  /// CreateMeeting and CreateAttendee.
  public convenience init(
    createMeetingResponse: CreateMeetingResponse, createAttendeeResponse: CreateAttendeeResponse,
    urlRewriter: @escaping URLRewriter
  ) {
    let meeting = createMeetingResponse.meeting
    let attendee = createAttendeeResponse.attendee
    let placement = meeting.mediaPlacement
    self.init(
      meetingId: meeting.meetingId, externalMeetingId: meeting.externalMeetingId,
      credentials: MeetingSessionCredentials(
        attendeeId: attendee.attendeeId, externalUserId: attendee.externalUserId,
        joinToken: attendee.joinToken),
      urls: MeetingSessionURLs(
        audioFallbackUrl: placement.audioFallbackUrl, audioHostUrl: placement.audioHostUrl,
        turnControlUrl: placement.turnControlUrl, signalingUrl: placement.signalingUrl,
        urlRewriter: urlRewriter, ingestionUrl: placement.eventIngestionUrl,
        gatewayUrl: placement.gatewayUrl),
      urlRewriter: urlRewriter, primaryMeetingId: meeting.primaryMeetingId,
      meetingFeatures: meeting.meetingFeatures)
  }

  /// Creates a configuration without an external meeting id.
  ///
  /// This initializer and the following initializers do not rewrite the URLs.
  public convenience init(
    meetingId: String, credentials: MeetingSessionCredentials, urls: MeetingSessionURLs,
    urlRewriter: @escaping URLRewriter
  ) {
    self.init(
      meetingId: meetingId, externalMeetingId: nil, credentials: credentials, urls: urls,
      urlRewriter: urlRewriter)
  }

  /// Creates a configuration with the default features, for a meeting that is not a replica.
  public convenience init(
    meetingId: String, externalMeetingId: String?, credentials: MeetingSessionCredentials,
    urls: MeetingSessionURLs, urlRewriter: @escaping URLRewriter
  ) {
    self.init(
      meetingId: meetingId, externalMeetingId: externalMeetingId, credentials: credentials,
      urls: urls, urlRewriter: urlRewriter, primaryMeetingId: nil)
  }

  /// Creates a configuration with the default features. The meeting is a replica if
  /// `primaryMeetingId` is not `nil`.
  public convenience init(
    meetingId: String, externalMeetingId: String?, credentials: MeetingSessionCredentials,
    urls: MeetingSessionURLs, urlRewriter: @escaping URLRewriter, primaryMeetingId: String?
  ) {
    self.init(
      meetingId: meetingId, externalMeetingId: externalMeetingId, credentials: credentials,
      urls: urls, urlRewriter: urlRewriter, primaryMeetingId: primaryMeetingId,
      meetingFeatures: MeetingFeatures())
  }

  /// Creates a configuration for a meeting that is not a replica.
  public convenience init(
    meetingId: String, externalMeetingId: String?, credentials: MeetingSessionCredentials,
    urls: MeetingSessionURLs, urlRewriter: @escaping URLRewriter, meetingFeatures: MeetingFeatures
  ) {
    self.init(
      meetingId: meetingId, externalMeetingId: externalMeetingId, credentials: credentials,
      urls: urls, urlRewriter: urlRewriter, primaryMeetingId: nil,
      meetingFeatures: meetingFeatures)
  }

  /// Creates a configuration from all of its fields. The initializer does not rewrite the URLs.
  public init(
    meetingId: String, externalMeetingId: String?, credentials: MeetingSessionCredentials,
    urls: MeetingSessionURLs, urlRewriter: @escaping URLRewriter, primaryMeetingId: String?,
    meetingFeatures: MeetingFeatures
  ) {
    self.meetingId = meetingId
    self.externalMeetingId = externalMeetingId
    self.credentials = credentials
    self.urls = urls
    self.urlRewriter = urlRewriter
    self.primaryMeetingId = primaryMeetingId
    self.meetingFeatures = meetingFeatures
  }
}
