import MeetingModel
import Wire

extension V1.SessionEvent {
  /// Encodes an event for clients.
  init(_ event: TranscriptEvent) {
    self.init(event: .transcriptEvents(.init(events: [V1.TranscriptEvent(event)])))
  }
}

extension V1.TranscriptEvent {
  init(_ event: TranscriptEvent) {
    switch event {
    case .status(let status): self.init(event: .status(V1.TranscriptionStatus(status)))
    case .results(let results): self.init(event: .transcript(V1.Transcript(results)))
    }
  }
}

extension V1.Transcript {
  init(_ results: [TranscriptResult]) {
    self.init(results: results.map { V1.TranscriptResult($0) })
  }
}

extension V1.TranscriptionStatus {
  init(_ status: TranscriptionStatus) {
    self.init(
      type: V1.TranscriptionStatusType(status.type), eventTimeMs: status.milliseconds,
      transcriptionRegion: status.region, transcriptionConfiguration: status.configuration,
      message: status.message)
  }
}

extension V1.TranscriptResult {
  fileprivate init(_ result: TranscriptResult) {
    self.init(
      resultID: result.resultID, channelID: result.channelID, isPartial: result.isPartial,
      startTimeMs: result.startMs, endTimeMs: result.endMs,
      alternatives: result.alternatives.map { V1.TranscriptAlternative($0) },
      languageCode: result.language?.text ?? "",
      languageIdentification: result.identification.map {
        V1.TranscriptLanguageWithScore(languageCode: $0.language.text, score: $0.score)
      }, translatedFrom: result.translatedFrom?.text ?? "", revision: result.revision)
  }
}

extension V1.TranscriptAlternative {
  fileprivate init(_ alternative: TranscriptAlternative) {
    self.init(
      items: alternative.items.map { V1.TranscriptItem($0) }, transcript: alternative.transcript,
      entities: alternative.entities.map { V1.TranscriptEntity($0) })
  }
}

extension V1.TranscriptItem {
  fileprivate init(_ item: TranscriptItem) {
    self.init(
      type: item.isPunctuation ? .punctuation : .pronunciation,
      startTimeMs: item.startMs, endTimeMs: item.endMs,
      attendee: V1.AttendeeInfo(item.speaker), content: item.content,
      isVocabularyFilterMatch: item.isVocabularyFilterMatch,
      stability: item.isStable.map { .isStable($0) },
      certainty: item.confidence.map { .confidence($0) })
  }
}

extension V1.TranscriptEntity {
  fileprivate init(_ entity: TranscriptEntity) {
    self.init(
      type: entity.type, content: entity.content, category: entity.category.rawValue,
      startTimeMs: entity.startMs, endTimeMs: entity.endMs,
      certainty: entity.confidence.map { .confidence($0) })
  }
}
