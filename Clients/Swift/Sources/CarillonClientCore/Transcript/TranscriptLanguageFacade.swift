/// The choice of the language of a session's transcripts and of its attendee's spoken language.
///
/// It is available as `CarillonMeetingSession.transcriptLanguages`. It is an addition of Carillon.
/// For a program that does not use it, nothing changes.
public protocol TranscriptLanguageFacade: AnyObject, Sendable {
  /// Chooses the languages, before or after the start. The choice also applies to later starts.
  ///
  /// - Parameters:
  ///   - view: The BCP 47 code of the transcripts, such as `en-US`. The session receives only
  ///     results in this language, spoken or, if an engine can, translated. `nil`: all results as
  ///     spoken.
  ///   - spoken: The BCP 47 code of the attendee's language; `nil`: the meeting's language.
  /// - Throws: `TranscriptLanguageError` for an invalid code; the choice is then unchanged.
  func setTranscriptLanguages(view: String?, spoken: String?) throws
}

/// The reasons why a choice of languages is rejected. An addition of Carillon.
public enum TranscriptLanguageError: Error, Hashable, Sendable {
  /// The text is not a BCP 47 language code.
  case invalidLanguageCode(String)
}
