package import CarillonClientCore
package import Output

/// An event of a meeting's transcription, as the command line shows it.
package enum TranscriptLine: Hashable, Sendable {
  /// The transcription's status changed; `message` is the reason, or `nil`.
  case status(name: String, timeMs: Int64, message: String?)
  case result(SpokenResult)

  /// Returns the lines for one event.
  package static func lines(of event: any TranscriptEvent) -> [TranscriptLine] {
    switch event {
    case let status as TranscriptionStatus:
      [.status(name: "\(status.type)", timeMs: status.eventTimeMs, message: status.message)]
    case let transcript as Transcript: transcript.results.map { .result(SpokenResult($0)) }
    default: []
    }
  }

  /// The fields of `--format json`.
  package var record: OutputRecord {
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
      ] as OutputRecord).adding("display_name", result.speaker.displayName)
    }
  }
}

/// An utterance, in the alternative that the engine ranks first.
package struct SpokenResult: Hashable, Sendable {
  package var id: String
  package var isPartial: Bool
  /// The start, in milliseconds since 1970.
  package var startMs: Int64
  /// The end, in milliseconds since 1970.
  package var endMs: Int64
  /// The speaker of the first word.
  package var speaker: AttendeeName
  package var text: String
  package var language: String?
  /// The words in order; empty if the engine does not report words separately.
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

/// A word or punctuation mark of an utterance, with its speaker and times.
package struct SpokenWord: Hashable, Sendable {
  package let content: String
  /// The start, in milliseconds since 1970.
  package let startMs: Int64
  /// The end, in milliseconds since 1970.
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

/// The options of a command that receives a transcript.
package struct TranscriptViewOptions: Sendable {
  /// The BCP 47 code of the language to read; `nil` selects the spoken language of each utterance.
  package var language: String?

  package init(language: String? = nil) {
    self.language = language
  }
}
