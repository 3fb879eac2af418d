internal import MeetingModel
internal import Wire

extension TranscriptionStatus {
  /// Creates a status from its wire message.
  convenience init(_ status: V1.TranscriptionStatus) {
    self.init(
      type: MeetingModel.TranscriptionStatusType(status.type)?.inFacade() ?? .unknown,
      eventTimeMs: Int64(clamping: status.eventTimeMs),
      transcriptionRegion: status.transcriptionRegion,
      transcriptionConfiguration: status.transcriptionConfiguration,
      message: status.message.isEmpty ? nil : status.message)
  }
}

extension TranscriptResult {
  /// Creates a result from its wire message.
  convenience init(_ result: V1.TranscriptResult) {
    self.init(
      resultId: result.resultID, channelId: result.channelID.isEmpty ? nil : result.channelID,
      isPartial: result.isPartial, startTimeMs: Int64(clamping: result.startTimeMs),
      endTimeMs: Int64(clamping: result.endTimeMs),
      alternatives: result.alternatives.map(TranscriptAlternative.init),
      languageCode: result.languageCode.isEmpty ? nil : result.languageCode,
      languageIdentification: result.languageIdentification.map {
        TranscriptLanguageWithScore(languageCode: $0.languageCode, score: $0.score)
      })
  }
}

extension TranscriptAlternative {
  fileprivate convenience init(_ alternative: V1.TranscriptAlternative) {
    self.init(
      items: alternative.items.map(TranscriptItem.init), transcript: alternative.transcript,
      entities: alternative.entities.map(TranscriptEntity.init))
  }
}

extension TranscriptItem {
  fileprivate convenience init(_ item: V1.TranscriptItem) {
    var isStable: Bool?
    if case .isStable(let value) = item.stability { isStable = value }
    var confidence: Double?
    if case .confidence(let value) = item.certainty { confidence = value }
    self.init(
      type: TranscriptItemType(rawValue: Int(item.type.rawValue)) ?? .unknown,
      startTimeMs: Int64(clamping: item.startTimeMs), endTimeMs: Int64(clamping: item.endTimeMs),
      attendee: AttendeeInfo(
        attendeeId: item.attendee?.attendeeID ?? "",
        externalUserId: item.attendee?.externalUserID ?? "",
        displayName: item.attendee?.displayName ?? ""),
      content: item.content, vocabularyFilterMatch: item.isVocabularyFilterMatch,
      stable: isStable, confidence: confidence)
  }
}

extension TranscriptEntity {
  fileprivate convenience init(_ entity: V1.TranscriptEntity) {
    var confidence: Double?
    if case .confidence(let value) = entity.certainty { confidence = value }
    self.init(
      type: entity.type, content: entity.content, category: entity.category,
      confidence: confidence, startTimeMs: Int64(clamping: entity.startTimeMs),
      endTimeMs: Int64(clamping: entity.endTimeMs))
  }
}
