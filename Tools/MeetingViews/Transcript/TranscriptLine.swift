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
      [
        "event": "transcript", "result_id": .text(result.id), "is_partial": .bool(result.isPartial),
        "start_ms": JSONValue(result.startMs), "end_ms": JSONValue(result.endMs),
        "attendee_id": .text(result.speaker.attendeeID),
        "external_user_id": .text(result.speaker.externalUserID), "text": .text(result.text),
        "language_code": result.language.map { .text($0) } ?? .null,
      ]
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

  package init(
    id: String, isPartial: Bool, startMs: Int64, endMs: Int64, speaker: AttendeeName, text: String,
    language: String? = nil
  ) {
    self.id = id
    self.isPartial = isPartial
    self.startMs = startMs
    self.endMs = endMs
    self.speaker = speaker
    self.text = text
    self.language = language
  }
}

extension SpokenResult {
  fileprivate init(_ result: TranscriptResult) {
    let best = result.alternatives.first
    let speaker = best?.items.first?.attendee
    self.init(
      id: result.resultId, isPartial: result.isPartial, startMs: result.startTimeMs,
      endMs: result.endTimeMs,
      speaker: AttendeeName(
        attendeeID: speaker?.attendeeId ?? "", externalUserID: speaker?.externalUserId ?? ""),
      text: best?.transcript ?? "", language: result.languageCode)
  }
}

/// How a command wants to read what is said.
package struct TranscriptWish: Sendable {
  /// BCP 47 code; `nil`: everything as it was spoken.
  package var language: String?

  package init(language: String? = nil) {
    self.language = language
  }
}
