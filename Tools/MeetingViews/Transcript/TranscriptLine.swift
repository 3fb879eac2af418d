package import CarillonClientCore
package import Output

/// Something that a meeting's transcription says, as the command line shows it.
package enum TranscriptLine: Hashable, Sendable {
  /// The transcription itself changed; `message` says why, where there is a reason.
  case status(name: String, timeMs: Int64, message: String?)
  case result(SpokenResult)

  /// The lines of one event.
  package static func lines(of event: any TranscriptEvent) -> [TranscriptLine] {
    switch event {
    case let status as TranscriptionStatus:
      [.status(name: "\(status.type)", timeMs: status.eventTimeMs, message: status.message)]
    case let transcript as Transcript: transcript.results.map { .result(SpokenResult($0)) }
    default: []
    }
  }

  /// The fields of `--format json`.
  package var record: Record {
    switch self {
    case .status(let name, let time, let message):
      [
        "event": "transcription", "status": .text(name), "time_ms": JSONValue(time),
        "message": message.map { .text($0) } ?? .null,
      ]
    case .result(let result):
      ([
        "event": "transcript", "result_id": .text(result.id), "is_partial": .bool(result.isPartial),
        "start_ms": JSONValue(result.startMs), "end_ms": JSONValue(result.endMs),
        "attendee_id": .text(result.speaker.attendeeID),
        "external_user_id": .text(result.speaker.externalUserID), "text": .text(result.text),
        "language_code": result.language.map { .text($0) } ?? .null,
      ] as Record).adding("display_name", result.speaker.displayName)
    }
  }
}

/// One utterance in its best reading.
package struct SpokenResult: Hashable, Sendable {
  package var id: String
  package var isPartial: Bool
  /// When it began, in milliseconds since 1970.
  package var startMs: Int64
  /// When it ended, in milliseconds since 1970.
  package var endMs: Int64
  /// Who said the first word of it.
  package var speaker: AttendeeName
  package var text: String
  package var language: String?
  /// Its words in order, as far as they are told apart.
  package var words: [SpokenWord]

  package init(
    id: String, isPartial: Bool, startMs: Int64, endMs: Int64, speaker: AttendeeName, text: String,
    language: String? = nil, words: [SpokenWord] = []
  ) {
    self.id = id
    self.isPartial = isPartial
    self.startMs = startMs
    self.endMs = endMs
    self.speaker = speaker
    self.text = text
    self.language = language
    self.words = words
  }
}

/// A word or sign of an utterance, and who said it when.
package struct SpokenWord: Hashable, Sendable {
  package let content: String
  /// When it began, in milliseconds since 1970.
  package let startMs: Int64
  /// When it ended, in milliseconds since 1970.
  package let endMs: Int64
  package let speaker: AttendeeName

  package init(content: String, startMs: Int64, endMs: Int64, speaker: AttendeeName) {
    self.content = content
    self.startMs = startMs
    self.endMs = endMs
    self.speaker = speaker
  }
}

extension SpokenResult {
  fileprivate init(_ result: TranscriptResult) {
    let best = result.alternatives.first
    let words = best?.items.map { SpokenWord($0) } ?? []
    self.init(
      id: result.resultId, isPartial: result.isPartial, startMs: result.startTimeMs,
      endMs: result.endTimeMs,
      speaker: words.first?.speaker ?? AttendeeName(attendeeID: "", externalUserID: ""),
      text: best?.transcript ?? "", language: result.languageCode, words: words)
  }
}

extension SpokenWord {
  fileprivate init(_ item: TranscriptItem) {
    let speaker = item.attendee
    self.init(
      content: item.content, startMs: item.startTimeMs, endMs: item.endTimeMs,
      speaker: AttendeeName(
        attendeeID: speaker.attendeeId, externalUserID: speaker.externalUserId,
        displayName: speaker.ownName))
  }
}

/// How a command wants to read what is said.
package struct TranscriptViewOptions: Sendable {
  /// BCP 47 code; `nil`: everything as it was spoken.
  package var language: String?

  package init(language: String? = nil) {
    self.language = language
  }
}
