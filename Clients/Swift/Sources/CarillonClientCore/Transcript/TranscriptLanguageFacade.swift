/// The choice of two languages: the language of a session's transcripts, and the language that the
/// session's attendee speaks.
///
/// The choice is available as `CarillonMeetingSession.transcriptLanguages`. Carillon adds this
/// protocol to the interface of the meetings SDK for iOS. Nothing changes for a program that does
/// not make this choice.
public protocol TranscriptLanguageFacade: AnyObject, Sendable {
  /// Chooses the languages, before or after the start. The choice also applies to later starts.
  ///
  /// - Parameters:
  ///   - view: The BCP 47 code of the transcripts, such as `en-US`. The session receives only
  ///     results in this language: results in the spoken language, or translations if an engine can
  ///     translate. With `nil`, the session receives all results in the spoken language.
  ///   - spoken: The BCP 47 code of the attendee's language; `nil` means the meeting's language.
  /// - Throws: `TranscriptLanguageError` for an invalid code. After an error, the choice is
  ///   unchanged.
  func setTranscriptLanguages(view: String?, spoken: String?) throws
}

/// The reasons why the library rejects a choice of languages. Carillon adds this type to the
/// interface of the meetings SDK for iOS.
public enum TranscriptLanguageError: Error, Hashable, Sendable {
  /// The text is not a BCP 47 language code.
  case invalidLanguageCode(String)
}
