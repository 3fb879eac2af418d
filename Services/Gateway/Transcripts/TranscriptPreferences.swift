import MeetingModel
import Wire

/// One client's languages, and the form in which the client receives transcripts.
struct TranscriptPreferences: Hashable {
  /// The language of the results that the client receives; `nil` for all languages that attendees
  /// speak.
  var view: LanguageCode?

  /// The language that the client's attendee speaks; `nil` for the meeting's language.
  var spoken: LanguageCode?

  /// Whether the client receives transcripts as data messages instead of events.
  let asMessages: Bool

  /// The feature in a client's Start that requests transcripts as data messages.
  static let messagesFeature = "transcript_messages"

  /// Creates the preferences of a client without a choice of languages.
  init(asMessages: Bool = false) { self.asMessages = asMessages }

  /// - Throws: `invalidArgument` for an invalid language.
  init(_ request: V1.StartRequest) throws(Status) {
    asMessages = request.features.contains(Self.messagesFeature)
    try choose(view: request.transcriptLanguage, spoken: request.spokenLanguage)
  }

  /// Sets both languages. An empty text removes a language.
  ///
  /// - Throws: `invalidArgument` for an invalid language. After an error, both languages are
  ///   unchanged.
  mutating func choose(view: String, spoken: String) throws(Status) {
    do throws(InvalidModelValue) {
      let (view, spoken) = (
        try LanguageCode.read(view, "language to read"),
        try LanguageCode.read(spoken, "spoken language")
      )
      (self.view, self.spoken) = (view, spoken)
    } catch {
      throw error.status
    }
  }

  /// Whether the client has no choices that `transcription` must store.
  var isEmpty: Bool { view == nil && spoken == nil }
}
