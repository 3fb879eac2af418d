import MeetingModel
import Wire

extension TranscriptionSettings {
  /// Reads what an operator wants.
  ///
  /// - Throws: ``ModelError`` for a wrong value, or for settings that do not go together.
  init(_ configuration: V1.TranscriptionConfiguration?) throws(ModelError) {
    guard let configuration else {
      throw .invalidValue(what: "configuration", rule: "present")
    }
    try configuration.check()
    language = try Self.language(of: configuration)
    engine = configuration.engine.isEmpty ? nil : configuration.engine
    translations = try LanguageCode.readAll(configuration.translateTo, "translate_to")
    text = try TextRules(configuration)
    self.configuration = configuration
  }

  private static func language(
    of configuration: V1.TranscriptionConfiguration
  ) throws(ModelError) -> SpokenLanguage {
    if let code = try LanguageCode.read(configuration.languageCode, "language_code") {
      return .named(code)
    }
    guard configuration.isLanguageIdentified else { return .engineDefault }
    let options = try LanguageCode.readAll(configuration.languageOptions, "language_options")
    let preferred = try LanguageCode.read(configuration.preferredLanguage, "preferred_language")
    guard let preferred else { return .identified(among: options) }
    return .identified(among: [preferred] + options.filter { $0 != preferred })
  }
}

extension TextRules {
  fileprivate init(_ configuration: V1.TranscriptionConfiguration) throws(ModelError) {
    filtered = configuration.filteredWords.map { phrase in
      phrase.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }.filter { !$0.isEmpty }
    switch configuration.vocabularyFilterMethod {
    case .unspecified, .tag: filterMethod = .tag
    case .mask: filterMethod = .mask
    case .remove: filterMethod = .remove
    case .unrecognized:
      throw .invalidValue(what: "vocabulary_filter_method", rule: "REMOVE, MASK or TAG")
    }
    identified = try SensitiveContent.read(configuration.contentIdentification)
    redacted = try SensitiveContent.read(configuration.contentRedaction)
    entityTypes = Set(configuration.piiEntityTypes.filter { $0 != "ALL" })
    guard configuration.isPartialResultsStabilizationEnabled else { return }
    switch configuration.partialResultsStability {
    case .unspecified, .low: stableAfter = 2
    case .medium: stableAfter = 3
    case .high: stableAfter = 5
    case .unrecognized:
      throw .invalidValue(what: "partial_results_stability", rule: "LOW, MEDIUM or HIGH")
    }
  }
}

extension SensitiveContent {
  fileprivate static func read(
    _ type: V1.SensitiveContentType
  ) throws(ModelError) -> SensitiveContent? {
    switch type {
    case .unspecified: nil
    case .pii: .personal
    case .phi: .health
    case .unrecognized: throw .invalidValue(what: "content type", rule: "PII or PHI")
    }
  }
}
