/// A session with Carillon's additions to the interface of the meetings SDK for iOS. Any thread may
/// call the session.
public protocol CarillonMeetingSession: MeetingSession, Sendable {
  /// Carillon's additions to data messages, such as receipts and recipients.
  var dataMessageLog: any DataMessageLogFacade { get }

  /// The choice of two languages: the language of transcripts and the spoken language.
  var transcriptLanguages: any TranscriptLanguageFacade { get }

  /// The encoded frames of remote videos, for example to record H.264.
  var encodedVideo: any EncodedVideoFacade { get }
}
