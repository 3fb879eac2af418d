import MeetingModel
import Wire

/// How one client reads transcripts, and what its attendee speaks.
struct TranscriptPreferences: Hashable {
  /// It gets only results in this language; `nil`: all as they were spoken.
  var view: LanguageCode?

  /// What it is heard as; `nil`: the meeting's language.
  var spoken: LanguageCode?

  /// It gets them as data messages, not as events.
  let asMessages: Bool

  /// What a client names among its features to get transcripts as data messages.
  static let messagesFeature = "transcript_messages"

  /// Preferences of a client that chose no language.
  init(asMessages: Bool = false) { self.asMessages = asMessages }

  /// - Throws: `invalidArgument` for what is no language.
  init(_ request: V1.StartRequest) throws(Status) {
    asMessages = request.features.contains(Self.messagesFeature)
    try choose(view: request.transcriptLanguage, spoken: request.spokenLanguage)
  }

  /// - Throws: `invalidArgument` for what is no language; nothing has changed then.
  mutating func choose(view: String, spoken: String) throws(Status) {
    do throws(ModelError) {
      let (view, spoken) = (
        try LanguageCode.read(view, "language to read"),
        try LanguageCode.read(spoken, "spoken language")
      )
      (self.view, self.spoken) = (view, spoken)
    } catch {
      throw error.status
    }
  }

  /// Whether transcription has anything to remember of it.
  var isEmpty: Bool { view == nil && spoken == nil }
}
