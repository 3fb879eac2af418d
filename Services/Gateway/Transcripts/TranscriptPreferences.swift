import MeetingModel
import Wire

/// One client's languages, and the form in which it reads transcripts.
struct TranscriptPreferences: Hashable {
  /// The language of the results that the client receives; `nil`: all languages as spoken.
  var view: LanguageCode?

  /// The language that its attendee speaks; `nil`: the meeting's language.
  var spoken: LanguageCode?

  /// Whether the client receives transcripts as data messages instead of events.
  let asMessages: Bool

  /// The feature that a client lists to receive transcripts as data messages.
  static let messagesFeature = "transcript_messages"

  /// The preferences of a client that chose no language.
  init(asMessages: Bool = false) { self.asMessages = asMessages }

  /// - Throws: `invalidArgument` for an invalid language.
  init(_ request: V1.StartRequest) throws(Status) {
    asMessages = request.features.contains(Self.messagesFeature)
    try choose(view: request.transcriptLanguage, spoken: request.spokenLanguage)
  }

  /// Sets both languages.
  ///
  /// An empty text clears one.
  ///
  /// - Throws: `invalidArgument` for an invalid language. Nothing has changed then.
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

  /// Whether transcription has nothing to remember for the client.
  var isEmpty: Bool { view == nil && spoken == nil }
}
