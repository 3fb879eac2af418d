public import Foundation

/// What the control API answered to CreateMeeting.
public final class CreateMeetingResponse: NSObject, Sendable {
  let meeting: Meeting

  public init(meeting: Meeting) {
    self.meeting = meeting
  }

  /// Takes the answer as it came over HTTP, `{"Meeting": {…}}`. An addition of Carillon.
  ///
  /// - Throws: `DecodingError` when a field is missing or of the wrong type.
  public convenience init(json: Data) throws {
    let meeting = try JSONDecoder().decode(CreateMeetingDocument.self, from: json).meeting
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
