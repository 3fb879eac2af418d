import Wire

extension EngineReport {
  /// Reads what an engine says.
  ///
  /// - Throws: ``TranscriptionError/malformed(field:rule:)`` if anything in it cannot be what it is.
  init(_ report: V1.ReportResultsRequest) throws(TranscriptionError) {
    let most = EngineLimits.entries
    guard report.results.count <= most, report.progress.count <= most, report.failures.count <= most
    else { throw .malformed(field: "report", rule: "at most \(most) entries of a kind") }
    for result in report.results {
      results.append((try StreamID(wire: result.streamID), try HeardResult(result)))
    }
    for progress in report.progress {
      let through = try Self.place(progress.throughSample, "through_sample")
      self.progress.append((try StreamID(wire: progress.streamID), through))
    }
    for failure in report.failures {
      failures.append(failure.streamID.isEmpty ? nil : try StreamID(wire: failure.streamID))
    }
    guard report.credit <= 10_000 else { throw .malformed(field: "credit", rule: "10000 at most") }
    credit = Int(report.credit)
  }

  fileprivate static func place(
    _ sample: UInt64, _ field: String
  ) throws(TranscriptionError) -> UInt64 {
    guard sample <= EngineLimits.samples else {
      throw .malformed(field: field, rule: "a place in a stream")
    }
    return sample
  }

  fileprivate static func range(
    _ start: UInt64, _ end: UInt64, _ field: String
  ) throws(TranscriptionError) -> (UInt64, UInt64) {
    let (start, end) = (try place(start, field), try place(end, field))
    guard start <= end else { throw .malformed(field: field, rule: "not before its start") }
    return (start, end)
  }

  fileprivate static func portion(
    _ value: Double?, _ field: String
  ) throws(TranscriptionError) -> Double? {
    guard let value else { return nil }
    guard value.isFinite, (0...1).contains(value) else {
      throw .malformed(field: field, rule: "0-1")
    }
    return value
  }
}

extension StreamID {
  /// Reads a stream's name as it arrived.
  init(wire text: String) throws(TranscriptionError) {
    guard (1...64).contains(text.utf8.count) else {
      throw .malformed(field: "stream_id", rule: "1-64 characters")
    }
    self.init(text)
  }
}

extension HeardResult {
  /// Reads a result as it arrived.
  fileprivate init(_ result: V1.EngineResult) throws(TranscriptionError) {
    guard result.utterance > 0 else {
      throw .malformed(field: "utterance", rule: "1 or more")
    }
    guard result.alternatives.count <= EngineLimits.alternatives,
      result.isFinal || !result.alternatives.isEmpty
    else {
      throw .malformed(field: "alternatives", rule: "1-10, or none with is_final")
    }
    guard result.alternatives.reduce(0, { $0 + $1.words.count }) <= EngineLimits.words else {
      throw .malformed(field: "words", rule: "\(EngineLimits.words) at most in one result")
    }
    utterance = result.utterance
    isFinal = result.isFinal
    (start, end) = try EngineReport.range(result.startSample, result.endSample, "end_sample")
    alternatives = []
    for alternative in result.alternatives {
      alternatives.append(try HeardAlternative(alternative, within: start...end))
    }
    language = try .read(result.languageCode, "language_code")
    translatedFrom = try .read(result.translatedFrom, "translated_from")
    guard result.languageIdentification.count <= EngineLimits.identified else {
      throw .malformed(field: "language_identification", rule: "20 at most")
    }
    for candidate in result.languageIdentification {
      guard let code = try LanguageCode.read(candidate.languageCode, "language_code"),
        let score = try EngineReport.portion(candidate.score, "score")
      else { throw .malformed(field: "language_identification", rule: "languages with a score") }
      identification.append(IdentifiedLanguage(language: code, score: score))
    }
  }
}

extension HeardAlternative {
  fileprivate init(
    _ alternative: V1.EngineAlternative, within bounds: ClosedRange<UInt64>
  ) throws(TranscriptionError) {
    words = []
    for word in alternative.words { words.append(try HeardWord(word, within: bounds)) }
    guard alternative.entities.count <= EngineLimits.entities else {
      throw .malformed(field: "entities", rule: "\(EngineLimits.entities) at most")
    }
    for entity in alternative.entities {
      entities.append(try HeardEntity(entity, among: words.count))
    }
  }
}

extension HeardWord {
  fileprivate init(
    _ word: V1.EngineWord, within bounds: ClosedRange<UInt64>
  ) throws(TranscriptionError) {
    guard (1...EngineLimits.wordBytes).contains(word.content.utf8.count),
      word.content.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw .malformed(
        field: "content", rule: "1-\(EngineLimits.wordBytes) bytes without control characters")
    }
    content = word.content
    let range = try EngineReport.range(word.startSample, word.endSample, "end_sample of a word")
    (start, end) = (range.0.clamped(to: bounds), range.1.clamped(to: bounds))
    switch word.type {
    case .unspecified, .pronunciation: break
    case .punctuation: isPunctuation = true
    case .unrecognized: throw .malformed(field: "type", rule: "a word or a sign")
    }
    isStable = word.isStable
    confidence = try EngineReport.portion(word.confidence, "confidence")
  }
}

extension HeardEntity {
  fileprivate init(
    _ entity: V1.EngineEntity, among words: Int
  ) throws(TranscriptionError) {
    guard let category = SensitiveContent(rawValue: entity.category) else {
      throw .malformed(field: "category", rule: "PII or PHI")
    }
    guard (1...EngineLimits.wordBytes).contains(entity.type.utf8.count) else {
      throw .malformed(field: "type", rule: "1-\(EngineLimits.wordBytes) bytes")
    }
    let first = Int(entity.firstWord)
    guard entity.wordCount > 0, first + Int(entity.wordCount) <= words else {
      throw .malformed(field: "word_count", rule: "words of the alternative")
    }
    self.category = category
    type = entity.type
    self.words = first..<first + Int(entity.wordCount)
    confidence = try EngineReport.portion(entity.confidence, "confidence")
  }
}

extension UInt64 {
  fileprivate func clamped(to bounds: ClosedRange<UInt64>) -> UInt64 {
    Swift.min(Swift.max(self, bounds.lowerBound), bounds.upperBound)
  }
}
