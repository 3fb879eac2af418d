public import Foundation

/// The control API's answer to CreateMeeting.
public final class CreateMeetingResponse: NSObject, Sendable {
  let meeting: Meeting

  /// Creates a response from a meeting.
  public init(meeting: Meeting) {
    self.meeting = meeting
  }

  /// Creates a response from the HTTP body of the answer, `{"Meeting": {…}}`.
  ///
  /// Carillon adds this initializer to the interface of the meetings SDK for iOS.
  ///
  /// - Throws: `DecodingError` when a field is missing or of the wrong type.
  public convenience init(json: Data) throws {
    let meeting = try JSONDecoder().decode(CreateMeetingResponseDocument.self, from: json).meeting
    self.init(
      meeting: Meeting(
        externalMeetingId: meeting.externalMeetingId,
        mediaPlacement: MediaPlacement(meeting.mediaPlacement),
        meetingFeatures: MeetingFeatures(
          video: meeting.meetingFeatures?.video?.maxResolution,
          content: meeting.meetingFeatures?.content?.maxResolution),
        mediaRegion: meeting.mediaRegion ?? "", meetingId: meeting.meetingId,
        primaryMeetingId: meeting.primaryMeetingId))
  }
}

/// A meeting, as the control API returns it.
public final class Meeting: NSObject, Sendable {
  let externalMeetingId: String?
  let mediaPlacement: MediaPlacement
  let meetingFeatures: MeetingFeatures
  let mediaRegion: String
  let meetingId: String
  let primaryMeetingId: String?

  /// Creates a meeting that has the default features and is not a replica.
  public convenience init(
    externalMeetingId: String?, mediaPlacement: MediaPlacement, mediaRegion: String,
    meetingId: String
  ) {
    self.init(
      externalMeetingId: externalMeetingId, mediaPlacement: mediaPlacement,
      meetingFeatures: MeetingFeatures(), mediaRegion: mediaRegion, meetingId: meetingId,
      primaryMeetingId: nil)
  }

  /// Creates a meeting with all its fields.
  ///
  /// - Parameter primaryMeetingId: The primary meeting of a replica; otherwise `nil`.
  public init(
    externalMeetingId: String?, mediaPlacement: MediaPlacement, meetingFeatures: MeetingFeatures,
    mediaRegion: String, meetingId: String, primaryMeetingId: String?
  ) {
    self.externalMeetingId = externalMeetingId
    self.mediaPlacement = mediaPlacement
    self.meetingFeatures = meetingFeatures
    self.mediaRegion = mediaRegion
    self.meetingId = meetingId
    self.primaryMeetingId = primaryMeetingId
  }
}

/// The addresses of a meeting's services, as the control API returns them.
public final class MediaPlacement: NSObject, Sendable {
  let audioFallbackUrl: String
  let audioHostUrl: String
  let signalingUrl: String
  let turnControlUrl: String
  let eventIngestionUrl: String?
  let gatewayUrl: String?

  /// Creates a placement without a server for client events and without a gateway.
  public convenience init(
    audioFallbackUrl: String, audioHostUrl: String, signalingUrl: String, turnControlUrl: String
  ) {
    self.init(
      audioFallbackUrl: audioFallbackUrl, audioHostUrl: audioHostUrl, signalingUrl: signalingUrl,
      turnControlUrl: turnControlUrl, eventIngestionUrl: nil)
  }

  /// Creates a placement without `gatewayUrl`. The session then requests the gateway's address from
  /// the host of `signalingUrl`.
  public convenience init(
    audioFallbackUrl: String, audioHostUrl: String, signalingUrl: String, turnControlUrl: String,
    eventIngestionUrl: String?
  ) {
    self.init(
      audioFallbackUrl: audioFallbackUrl, audioHostUrl: audioHostUrl, signalingUrl: signalingUrl,
      turnControlUrl: turnControlUrl, eventIngestionUrl: eventIngestionUrl, gatewayUrl: nil)
  }

  /// Creates a placement with all its fields.
  ///
  /// `gatewayUrl` is the gateway's ZeroMQ endpoint. Carillon adds this URL to the interface of the
  /// meetings SDK for iOS.
  public init(
    audioFallbackUrl: String, audioHostUrl: String, signalingUrl: String, turnControlUrl: String,
    eventIngestionUrl: String?, gatewayUrl: String?
  ) {
    self.audioFallbackUrl = audioFallbackUrl
    self.audioHostUrl = audioHostUrl
    self.signalingUrl = signalingUrl
    self.turnControlUrl = turnControlUrl
    self.eventIngestionUrl = eventIngestionUrl
    self.gatewayUrl = gatewayUrl
  }
}

extension MediaPlacement {
  convenience init(_ document: CreateMeetingResponseDocument.MediaPlacement) {
    self.init(
      audioFallbackUrl: document.audioFallbackUrl, audioHostUrl: document.audioHostUrl,
      signalingUrl: document.signalingUrl, turnControlUrl: document.turnControlUrl,
      eventIngestionUrl: document.eventIngestionUrl, gatewayUrl: document.gatewayUrl)
  }
}
