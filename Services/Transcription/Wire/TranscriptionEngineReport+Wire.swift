import MeetingModel
import Wire

extension TranscriptionEngineReport {
  /// Reads an engine's report. Drops each invalid entry, and still reads the other entries.
  init(_ report: V1.ReportResultsRequest) {
    for (index, result) in report.results.enumerated() {
      do throws(ResultFault) {
        try Self.check(index)
        results.append((try SpeechStreamID(entry: result.streamID), try EngineResult(result)))
      } catch {
        rejected.append(InvalidEngineResult(result, error))
      }
    }
    for (index, progress) in report.progress.enumerated() { read(progress, at: index) }
    for (index, failure) in report.failures.enumerated() { read(failure, at: index) }
    // If the credit is above the limit, the service later reduces the credit to the limit.
    credit = Int(clamping: report.credit)
  }

  private mutating func read(_ progress: V1.EngineProgress, at index: Int) {
    do throws(ResultFault) {
      try Self.check(index)
      let through = try Self.place(progress.throughSample, "through_sample")
      self.progress.append((try SpeechStreamID(entry: progress.streamID), through))
    } catch {
      faults.append(error)
    }
  }

  private mutating func read(_ failure: V1.EngineFailure, at index: Int) {
    do throws(ResultFault) {
      try Self.check(index)
      failures.append(failure.streamID.isEmpty ? nil : try SpeechStreamID(entry: failure.streamID))
    } catch {
      faults.append(error)
    }
  }

  /// Throws an error if the report contains too many entries of one kind.
  ///
  /// - Parameter index: The index of an entry among the entries of its kind.
  private static func check(_ index: Int) throws(ResultFault) {
    guard index < EngineLimits.entries else {
      throw ResultFault(
        .tooManyEntries, "report", "one of at most \(EngineLimits.entries) entries of a kind")
    }
  }

  fileprivate static func place(
    _ sample: UInt64, _ field: String
  ) throws(ResultFault) -> UInt64 {
    guard sample <= EngineLimits.samples else {
      throw ResultFault(.malformedTimes, field, "a place in a stream")
    }
    return sample
  }

  fileprivate static func range(
    _ start: UInt64, _ end: UInt64, _ field: String
  ) throws(ResultFault) -> (UInt64, UInt64) {
    let (start, end) = (try place(start, field), try place(end, field))
    guard start <= end else { throw ResultFault(.malformedTimes, field, "not before its start") }
    return (start, end)
  }

  fileprivate static func portion(
    _ value: Double?, _ field: String, _ reason: ResultDropReason
  ) throws(ResultFault) -> Double? {
    guard let value else { return nil }
    guard value.isFinite, (0...1).contains(value) else { throw ResultFault(reason, field, "0-1") }
    return value
  }

  fileprivate static func language(
    _ text: String, _ field: String
  ) throws(ResultFault) -> LanguageCode? {
    do throws(InvalidModelValue) {
      return try LanguageCode.read(text, field)
    } catch {
      throw ResultFault(.malformedLanguage, error)
    }
  }
}

extension SpeechStreamID {
  /// Reads a stream's id.
  fileprivate init(entry text: String) throws(ResultFault) {
    guard (1...64).contains(text.utf8.count) else {
      throw ResultFault(.malformedStream, "stream_id", "1-64 characters")
    }
    self.init(text)
  }
}

extension InvalidEngineResult {
  /// Reads the valid fields of a rejected result.
  fileprivate init(_ result: V1.EngineResult, _ fault: ResultFault) {
    self.init(
      stream: try? SpeechStreamID(entry: result.streamID), utterance: result.utterance,
      isFinal: result.isFinal,
      end: try? TranscriptionEngineReport.range(result.startSample, result.endSample, "end_sample")
        .1,
      language: try? TranscriptionEngineReport.language(result.languageCode, "language_code"),
      isTranslation: !result.translatedFrom.isEmpty, fault: fault)
  }
}

extension EngineResult {
  /// Reads a result.
  fileprivate init(_ result: V1.EngineResult) throws(ResultFault) {
    guard (1...EngineLimits.utterances).contains(result.utterance) else {
      throw ResultFault(.malformedUtterance, "utterance", "1 to \(EngineLimits.utterances)")
    }
    try Self.checkSize(of: result)
    utterance = result.utterance
    isFinal = result.isFinal
    (start, end) = try TranscriptionEngineReport.range(
      result.startSample, result.endSample, "end_sample")
    alternatives = []
    for alternative in result.alternatives {
      alternatives.append(try EngineAlternative(alternative, within: start...end))
    }
    language = try TranscriptionEngineReport.language(result.languageCode, "language_code")
    translatedFrom = try TranscriptionEngineReport.language(
      result.translatedFrom, "translated_from")
    for candidate in result.languageIdentification {
      identification.append(try IdentifiedLanguage(candidate))
    }
  }

  private static func checkSize(of result: V1.EngineResult) throws(ResultFault) {
    guard result.isFinal || !result.alternatives.isEmpty else {
      throw ResultFault(.malformedUtterance, "alternatives", "1-10, or none with is_final")
    }
    guard result.alternatives.count <= EngineLimits.alternatives else {
      throw ResultFault(.tooLarge, "alternatives", "1-10, or none with is_final")
    }
    guard result.alternatives.reduce(0, { $0 + $1.words.count }) <= EngineLimits.words else {
      throw ResultFault(.tooLarge, "words", "\(EngineLimits.words) at most in one result")
    }
    guard result.languageIdentification.count <= EngineLimits.identified else {
      throw ResultFault(.tooLarge, "language_identification", "20 at most")
    }
  }
}

extension IdentifiedLanguage {
  fileprivate init(_ candidate: V1.TranscriptLanguageWithScore) throws(ResultFault) {
    guard
      let code = try TranscriptionEngineReport.language(candidate.languageCode, "language_code"),
      let score = try TranscriptionEngineReport.portion(
        candidate.score, "score", .malformedLanguage)
    else {
      throw ResultFault(
        .malformedLanguage, "language_identification", "languages with a score")
    }
    self.init(language: code, score: score)
  }
}

extension EngineAlternative {
  fileprivate init(
    _ alternative: V1.EngineAlternative, within bounds: ClosedRange<UInt64>
  ) throws(ResultFault) {
    words = []
    for word in alternative.words { words.append(try EngineWord(word, within: bounds)) }
    guard alternative.entities.count <= EngineLimits.entities else {
      throw ResultFault(.tooLarge, "entities", "\(EngineLimits.entities) at most")
    }
    for entity in alternative.entities {
      entities.append(try EngineEntity(entity, among: words.count))
    }
  }
}

extension EngineWord {
  fileprivate init(
    _ word: V1.EngineWord, within bounds: ClosedRange<UInt64>
  ) throws(ResultFault) {
    guard (1...EngineLimits.wordBytes).contains(word.content.utf8.count),
      word.content.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw ResultFault(
        .malformedWords, "content",
        "1-\(EngineLimits.wordBytes) bytes without control characters")
    }
    content = word.content
    let range = try TranscriptionEngineReport.range(
      word.startSample, word.endSample, "end_sample of a word")
    (start, end) = (range.0.clamped(to: bounds), range.1.clamped(to: bounds))
    switch word.type {
    case .unspecified, .pronunciation: break
    case .punctuation: isPunctuation = true
    case .unrecognized: throw ResultFault(.malformedWords, "type", "a word or a sign")
    }
    isStable = word.isStable
    confidence = try TranscriptionEngineReport.portion(
      word.confidence, "confidence", .malformedWords)
  }
}

extension EngineEntity {
  fileprivate init(
    _ entity: V1.EngineEntity, among words: Int
  ) throws(ResultFault) {
    guard let category = SensitiveContentType(rawValue: entity.category) else {
      throw ResultFault(.malformedEntities, "category", "PII or PHI")
    }
    guard (1...EngineLimits.wordBytes).contains(entity.type.utf8.count) else {
      throw ResultFault(.malformedEntities, "type", "1-\(EngineLimits.wordBytes) bytes")
    }
    let first = Int(entity.firstWord)
    guard entity.wordCount > 0, first + Int(entity.wordCount) <= words else {
      throw ResultFault(.malformedEntities, "word_count", "words of the alternative")
    }
    self.category = category
    type = entity.type
    self.words = first..<first + Int(entity.wordCount)
    confidence = try TranscriptionEngineReport.portion(
      entity.confidence, "confidence", .malformedEntities)
  }
}

extension UInt64 {
  fileprivate func clamped(to bounds: ClosedRange<UInt64>) -> UInt64 {
    Swift.min(Swift.max(self, bounds.lowerBound), bounds.upperBound)
  }
}
