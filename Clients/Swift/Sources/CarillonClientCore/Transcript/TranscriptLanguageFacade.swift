/// Which language a session reads transcripts in, and which its attendee speaks.
///
/// `CarillonMeetingSession.transcriptLanguages` has it. An addition of Carillon: nothing changes
/// for a program that does not use it.
public protocol TranscriptLanguageFacade: AnyObject, Sendable {
  /// Chooses languages; before the start, while it runs, and for starts to come.
  ///
  /// - Parameters:
  ///   - view: BCP 47 code, such as `en-US`. Only results in this language come, spoken or
  ///     translated where an engine can; `nil`: all as they were spoken.
  ///   - spoken: BCP 47 code of what the attendee speaks; `nil`: the meeting's language.
  /// - Throws: `TranscriptLanguageError` for what is no such code; nothing has changed then.
  func setTranscriptLanguages(view: String?, spoken: String?) throws
}

/// Why languages are not taken. An addition of Carillon.
public enum TranscriptLanguageError: Error, Hashable, Sendable {
  /// It is no BCP 47 language code.
  case invalidLanguageCode(String)
}
