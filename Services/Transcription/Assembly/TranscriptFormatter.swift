import MeetingModel

/// The conversion of an engine's result to the text that clients read.
struct TranscriptFormatter {
  let speaker: ParticipantIdentity
  let timeline: SpeechTimeline
  let rules: TranscriptTextRules
  let language: LanguageCode?

  /// Returns the alternatives of a result for clients.
  ///
  /// - Parameters:
  ///   - ages: For each word of the best alternative, the number of consecutive results that
  ///     contained the word.
  ///   - isFinal: Whether the result is final.
  func alternatives(
    of heard: EngineResult, ages: [Int], isFinal: Bool
  ) -> [TranscriptAlternative] {
    // The engine may have marked entities only in the first alternative. The other alternatives may
    // then contain content that the service must redact but cannot find.
    let shown = rules.redacted == nil ? heard.alternatives[...] : heard.alternatives.prefix(1)
    return shown.enumerated().map { index, alternative in
      compose(alternative, ages: index == 0 ? ages : [], isFinal: isFinal)
    }
  }

  private func compose(
    _ heard: EngineAlternative, ages: [Int], isFinal: Bool
  ) -> TranscriptAlternative {
    var words = items(of: heard.words, ages: ages, isFinal: isFinal)
    for range in filteredRanges(of: heard.words) {
      for index in range {
        switch rules.filterMethod {
        case .remove: words[index] = nil
        case .mask: words[index]?.content = TranscriptTextRules.mask
        case .tag: words[index]?.isVocabularyFilterMatch = true
        }
      }
    }
    var entities: [TranscriptEntity] = []
    for entity in heard.entities where counts(entity) {
      let content = text(of: words[entity.words].compactMap { $0 })
      let isHidden = rules.redacted == entity.category
      if isHidden { redact(entity, in: &words) }
      guard isHidden || rules.identified == entity.category else { continue }
      entities.append(
        TranscriptEntity(
          type: entity.type, content: isHidden ? "[\(entity.type)]" : content,
          category: entity.category,
          startMs: timeline.milliseconds(
            at: heard.words[entity.words.lowerBound].start),
          endMs: timeline.milliseconds(
            endingAt: heard.words[entity.words.upperBound - 1].end),
          confidence: entity.confidence))
    }
    let items = words.compactMap { $0 }
    return TranscriptAlternative(items: items, transcript: text(of: items), entities: entities)
  }

  private func items(
    of words: [EngineWord], ages: [Int], isFinal: Bool
  ) -> [TranscriptItem?] {
    var last: UInt64 = 0
    return words.enumerated().map { index, word in
      // The clock of the talker's timeline may go back between two words, but times in a result
      // must not decrease.
      let start = max(timeline.milliseconds(at: word.start), last)
      let end = word.isPunctuation ? start : max(timeline.milliseconds(endingAt: word.end), start)
      last = start
      var item = TranscriptItem(
        isPunctuation: word.isPunctuation, startMs: start, endMs: end,
        speaker: speaker, content: word.content, confidence: word.confidence)
      if let needed = rules.stableAfter {
        let age = index < ages.count ? ages[index] : 0
        item.isStable = isFinal || word.isStable ?? (age >= needed)
      }
      return item
    }
  }

  private func counts(_ entity: EngineEntity) -> Bool {
    rules.entityTypes.isEmpty || rules.entityTypes.contains(entity.type)
  }

  private func redact(_ entity: EngineEntity, in items: inout [TranscriptItem?]) {
    let shown = items[entity.words].compactMap { $0 }
    guard let first = shown.first, let last = shown.last else { return }
    var item = first
    item.isPunctuation = false
    item.content = "[\(entity.type)]"
    item.endMs = max(last.endMs, first.endMs)
    for index in entity.words { items[index] = nil }
    items[entity.words.lowerBound] = item
  }

  /// Returns the positions of the filtered words and phrases.
  private func filteredRanges(of words: [EngineWord]) -> [Range<Int>] {
    guard !rules.filtered.isEmpty else { return [] }
    let contents = words.map { $0.content.lowercased() }
    var ranges: [Range<Int>] = []
    for start in contents.indices {
      for phrase in rules.filtered where contents[start...].starts(with: phrase) {
        ranges.append(start..<start + phrase.count)
      }
    }
    return ranges
  }

  /// Joins all items into one text.
  private func text(of items: [TranscriptItem]) -> String {
    let space = language?.hasNoSpaces == true ? "" : " "
    return items.reduce(into: "") { text, item in
      if !text.isEmpty, !item.isPunctuation { text += space }
      text += item.content
    }
  }
}
