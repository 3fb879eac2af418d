/// A session with Carillon's additions to the facade. Any thread may call it.
public protocol CarillonMeetingSession: MeetingSession, Sendable {
  /// Receipts, recipients and more for data messages.
  var dataMessageLog: any DataMessageLogFacade { get }

  /// The language of transcripts, and the spoken language.
  var transcriptLanguages: any TranscriptLanguageFacade { get }
}
