/// A session with what Carillon adds to the original. Its calls may come from any thread.
public protocol CarillonMeetingSession: MeetingSession, Sendable {
  /// Receipts, recipients and more for data messages.
  var dataMessageLog: any DataMessageLogFacade { get }

  /// Which language transcripts come in, and which is spoken.
  var transcriptLanguages: any TranscriptLanguageFacade { get }
}
