import MeetingModel
import Wire

extension EngineReport {
  /// Reads what an engine says.
  ///
  /// - Throws: ``ModelError/invalidValue(what:rule:)`` if anything in it cannot be what it is.
  init(_ report: V1.ReportResultsRequest) throws(ModelError) {
    let most = EngineLimits.entries
    guard report.results.count <= most, report.progress.count <= most, report.failures.count <= most
    else { throw .invalidValue(what: "report", rule: "at most \(most) entries of a kind") }
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
    guard report.credit <= 10_000 else {
      throw .invalidValue(what: "credit", rule: "10000 at most")
    }
    credit = Int(report.credit)
  }

  fileprivate static func place(
    _ sample: UInt64, _ field: String
  ) throws(ModelError) -> UInt64 {
    guard sample <= EngineLimits.samples else {
      throw .invalidValue(what: field, rule: "a place in a stream")
    }
    return sample
  }

  fileprivate static func range(
    _ start: UInt64, _ end: UInt64, _ field: String
  ) throws(ModelError) -> (UInt64, UInt64) {
    let (start, end) = (try place(start, field), try place(end, field))
    guard start <= end else { throw .invalidValue(what: field, rule: "not before its start") }
    return (start, end)
  }

  fileprivate static func portion(
    _ value: Double?, _ field: String
  ) throws(ModelError) -> Double? {
    guard let value else { return nil }
    guard value.isFinite, (0...1).contains(value) else {
      throw .invalidValue(what: field, rule: "0-1")
    }
    return value
  }
}

extension StreamID {
  /// Reads a stream's name as it arrived.
  init(wire text: String) throws(ModelError) {
    guard (1...64).contains(text.utf8.count) else {
      throw .invalidValue(what: "stream_id", rule: "1-64 characters")
    }
    self.init(text)
  }
}

extension HeardResult {
  /// Reads a result as it arrived.
  fileprivate init(_ result: V1.EngineResult) throws(ModelError) {
    guard result.utterance > 0 else {
      throw .invalidValue(what: "utterance", rule: "1 or more")
    }
    guard result.alternatives.count <= EngineLimits.alternatives,
      result.isFinal || !result.alternatives.isEmpty
    else {
      throw .invalidValue(what: "alternatives", rule: "1-10, or none with is_final")
    }
    guard result.alternatives.reduce(0, { $0 + $1.words.count }) <= EngineLimits.words else {
      throw .invalidValue(what: "words", rule: "\(EngineLimits.words) at most in one result")
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
      throw .invalidValue(what: "language_identification", rule: "20 at most")
    }
    for candidate in result.languageIdentification {
      guard let code = try LanguageCode.read(candidate.languageCode, "language_code"),
        let score = try EngineReport.portion(candidate.score, "score")
      else { throw .invalidValue(what: "language_identification", rule: "languages with a score") }
      identification.append(IdentifiedLanguage(language: code, score: score))
    }
  }
}

extension HeardAlternative {
  fileprivate init(
    _ alternative: V1.EngineAlternative, within bounds: ClosedRange<UInt64>
  ) throws(ModelError) {
    words = []
    for word in alternative.words { words.append(try HeardWord(word, within: bounds)) }
    guard alternative.entities.count <= EngineLimits.entities else {
      throw .invalidValue(what: "entities", rule: "\(EngineLimits.entities) at most")
    }
    for entity in alternative.entities {
      entities.append(try HeardEntity(entity, among: words.count))
    }
  }
}

extension HeardWord {
  fileprivate init(
    _ word: V1.EngineWord, within bounds: ClosedRange<UInt64>
  ) throws(ModelError) {
    guard (1...EngineLimits.wordBytes).contains(word.content.utf8.count),
      word.content.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw .invalidValue(
        what: "content", rule: "1-\(EngineLimits.wordBytes) bytes without control characters")
    }
    content = word.content
    let range = try EngineReport.range(word.startSample, word.endSample, "end_sample of a word")
    (start, end) = (range.0.clamped(to: bounds), range.1.clamped(to: bounds))
    switch word.type {
    case .unspecified, .pronunciation: break
    case .punctuation: isPunctuation = true
    case .unrecognized: throw .invalidValue(what: "type", rule: "a word or a sign")
    }
    isStable = word.isStable
    confidence = try EngineReport.portion(word.confidence, "confidence")
  }
}

extension HeardEntity {
  fileprivate init(
    _ entity: V1.EngineEntity, among words: Int
  ) throws(ModelError) {
    guard let category = SensitiveContentType(rawValue: entity.category) else {
      throw .invalidValue(what: "category", rule: "PII or PHI")
    }
    guard (1...EngineLimits.wordBytes).contains(entity.type.utf8.count) else {
      throw .invalidValue(what: "type", rule: "1-\(EngineLimits.wordBytes) bytes")
    }
    let first = Int(entity.firstWord)
    guard entity.wordCount > 0, first + Int(entity.wordCount) <= words else {
      throw .invalidValue(what: "word_count", rule: "words of the alternative")
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
