import CarillonClient
import Foundation

/// The code of the original SDK's guide to replica meetings: a replica attendee is promoted to ask
/// a question.
class ReplicaMeetings: NSObject, PrimaryMeetingPromotionObserver {
  let meetingSession: MeetingSession
  let source: VideoSource
  private(set) var notes: [String] = []

  init(meetingSession: MeetingSession, source: VideoSource) {
    self.meetingSession = meetingSession
    self.source = source
    super.init()
  }

  /// Requests promotion of a replica attendee.
  ///
  /// - Parameters:
  ///   - meetingResponse: The response of the primary's CreateMeeting call.
  ///   - attendeeResponse: The response of a CreateAttendee call against the primary.
  func askToSpeak(
    meetingResponse: CreateMeetingResponse, attendeeResponse: CreateAttendeeResponse
  ) {
    let configuration = MeetingSessionConfiguration(
      createMeetingResponse: meetingResponse,
      createAttendeeResponse: attendeeResponse,
      urlRewriter: { (url: String) -> String in return url })
    // This could also be created solely through the `CreateAttendee` response
    let credentials = configuration.credentials
    meetingSession.audioVideo.promoteToPrimaryMeeting(credentials: credentials, observer: self)
  }

  /// Requests demotion of the promoted attendee.
  func stopSpeaking() {
    meetingSession.audioVideo.demoteFromPrimaryMeeting()
  }

  func didPromoteToPrimaryMeeting(status: MeetingSessionStatus) {
    notes.append("promoted: \(status.statusCode)")
    guard status.statusCode == .ok else { return }
    meetingSession.audioVideo.startLocalVideo(source: source)
    try? meetingSession.audioVideo.realtimeSendDataMessage(
      topic: "chat", data: "I have a question", lifetimeMs: 0)
  }

  func didDemoteFromPrimaryMeeting(status: MeetingSessionStatus) {
    notes.append("demoted: \(status.statusCode)")
  }
}
