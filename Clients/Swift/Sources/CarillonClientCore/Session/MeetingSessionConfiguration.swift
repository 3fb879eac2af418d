public import Foundation

/// Which meeting a session joins, as whom, and where.
public final class MeetingSessionConfiguration: NSObject, Sendable {
  /// The meeting's id.
  public let meetingId: String

  /// The application's own id of the meeting.
  public let externalMeetingId: String?

  /// Who joins.
  public let credentials: MeetingSessionCredentials

  /// Where the meeting's services are, already rewritten.
  public let urls: MeetingSessionURLs

  /// Rewrites URLs; it is also asked about addresses that the server names later.
  public let urlRewriter: URLRewriter

  /// What the meeting allows.
  public let meetingFeatures: MeetingFeatures

  /// The meeting this one is a replica of, if it is one.
  public let primaryMeetingId: String?

  /// Takes both answers of the control API and leaves their URLs as they are.
  public convenience init(
    createMeetingResponse: CreateMeetingResponse, createAttendeeResponse: CreateAttendeeResponse
  ) {
    self.init(
      createMeetingResponse: createMeetingResponse, createAttendeeResponse: createAttendeeResponse,
      urlRewriter: URLRewriterUtils.defaultUrlRewriter)
  }

  /// Takes both answers of the control API and rewrites their URLs.
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

  /// Names no external meeting id. The URLs are taken as they are, here and below.
  public convenience init(
    meetingId: String, credentials: MeetingSessionCredentials, urls: MeetingSessionURLs,
    urlRewriter: @escaping URLRewriter
  ) {
    self.init(
      meetingId: meetingId, externalMeetingId: nil, credentials: credentials, urls: urls,
      urlRewriter: urlRewriter)
  }

  /// Is for a meeting that is no replica, with the usual features.
  public convenience init(
    meetingId: String, externalMeetingId: String?, credentials: MeetingSessionCredentials,
    urls: MeetingSessionURLs, urlRewriter: @escaping URLRewriter
  ) {
    self.init(
      meetingId: meetingId, externalMeetingId: externalMeetingId, credentials: credentials,
      urls: urls, urlRewriter: urlRewriter, primaryMeetingId: nil)
  }

  /// Is for a replica if `primaryMeetingId` is not nil; the features are the usual ones.
  public convenience init(
    meetingId: String, externalMeetingId: String?, credentials: MeetingSessionCredentials,
    urls: MeetingSessionURLs, urlRewriter: @escaping URLRewriter, primaryMeetingId: String?
  ) {
    self.init(
      meetingId: meetingId, externalMeetingId: externalMeetingId, credentials: credentials,
      urls: urls, urlRewriter: urlRewriter, primaryMeetingId: primaryMeetingId,
      meetingFeatures: MeetingFeatures())
  }

  /// Is for a meeting that is no replica.
  public convenience init(
    meetingId: String, externalMeetingId: String?, credentials: MeetingSessionCredentials,
    urls: MeetingSessionURLs, urlRewriter: @escaping URLRewriter, meetingFeatures: MeetingFeatures
  ) {
    self.init(
      meetingId: meetingId, externalMeetingId: externalMeetingId, credentials: credentials,
      urls: urls, urlRewriter: urlRewriter, primaryMeetingId: nil,
      meetingFeatures: meetingFeatures)
  }

  /// The full form. The URLs are taken as they are.
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
