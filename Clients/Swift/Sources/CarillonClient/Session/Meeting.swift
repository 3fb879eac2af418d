public import Foundation

/// A meeting, as the control API answers it.
public final class Meeting: NSObject, Sendable {
  let externalMeetingId: String?
  let mediaPlacement: MediaPlacement
  let meetingFeatures: MeetingFeatures
  let mediaRegion: String
  let meetingId: String
  let primaryMeetingId: String?

  /// A meeting with the default features that is no replica.
  public convenience init(
    externalMeetingId: String?, mediaPlacement: MediaPlacement, mediaRegion: String,
    meetingId: String
  ) {
    self.init(
      externalMeetingId: externalMeetingId, mediaPlacement: mediaPlacement,
      meetingFeatures: MeetingFeatures(), mediaRegion: mediaRegion, meetingId: meetingId,
      primaryMeetingId: nil)
  }

  /// - Parameter primaryMeetingId: The meeting this one is a replica of, if it is one.
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
