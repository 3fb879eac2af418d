import Wire

// Converts transcripts to frames of the public signaling protocol.
extension V1.TranscriptFrame {
  /// Converts events, in order.
  init(_ events: [V1.TranscriptEvent]) {
    self.init(
      events: events.compactMap { event in
        switch event.event {
        case .status(let status): .init(event: .status(.init(status)))
        case .transcript(let transcript): .init(event: .transcript(.init(transcript)))
        case nil: nil
        }
      })
  }

  /// Converts the transcription's status and the open results.
  init(_ snapshot: V1.TranscriptSnapshot) {
    var events: [V1.TranscriptEvent] = []
    if let status = snapshot.status { events.append(.init(event: .status(status))) }
    if let open = snapshot.open, !open.results.isEmpty {
      events.append(.init(event: .transcript(open)))
    }
    self.init(events)
  }
}

extension V1.TranscriptFrameStatus {
  fileprivate init(_ status: V1.TranscriptionStatus) {
    self.init(
      type: status.type.rawValue, eventTime: Int64(clamping: status.eventTimeMs),
      transcriptionRegion: status.transcriptionRegion,
      transcriptionConfiguration: status.transcriptionConfiguration, message: status.message)
  }
}

extension V1.TranscriptFrameTranscript {
  fileprivate init(_ transcript: V1.Transcript) {
    self.init(results: transcript.results.map(V1.TranscriptFrameResult.init(_:)))
  }
}

extension V1.TranscriptFrameResult {
  fileprivate init(_ result: V1.TranscriptResult) {
    self.init(
      alternatives: result.alternatives.map(V1.TranscriptFrameAlternative.init(_:)),
      channelID: result.channelID, endTime: Int64(clamping: result.endTimeMs),
      isPartial: result.isPartial, resultID: result.resultID,
      startTime: Int64(clamping: result.startTimeMs), languageCode: result.languageCode,
      languageIdentification: result.languageIdentification.map {
        .init(languageCode: $0.languageCode, score: $0.score)
      })
  }
}

extension V1.TranscriptFrameAlternative {
  fileprivate init(_ alternative: V1.TranscriptAlternative) {
    self.init(
      items: alternative.items.map(V1.TranscriptFrameItem.init(_:)),
      transcript: alternative.transcript,
      entities: alternative.entities.map(V1.TranscriptFrameEntity.init(_:)))
  }
}

extension V1.TranscriptFrameItem {
  fileprivate init(_ item: V1.TranscriptItem) {
    self.init(
      content: item.content, endTime: Int64(clamping: item.endTimeMs),
      speakerAttendeeID: item.attendee?.attendeeID ?? "",
      speakerExternalUserID: item.attendee?.externalUserID ?? "",
      startTime: Int64(clamping: item.startTimeMs), type: item.type.rawValue,
      vocabularyFilterMatch: item.isVocabularyFilterMatch,
      speakerDisplayName: item.attendee?.displayName ?? "")
    if case .confidence(let value) = item.certainty { certainty = .confidence(value) }
    if case .isStable(let value) = item.stability { stability = .stable(value) }
  }
}

extension V1.TranscriptFrameEntity {
  fileprivate init(_ entity: V1.TranscriptEntity) {
    self.init(
      category: entity.category, content: entity.content,
      endTime: Int64(clamping: entity.endTimeMs), startTime: Int64(clamping: entity.startTimeMs),
      type: entity.type)
    if case .confidence(let value) = entity.certainty { certainty = .confidence(value) }
  }
}
