import Wire

extension TranscriptionSettings {
  /// Reads what an operator wants.
  ///
  /// - Throws: ``TranscriptionError/malformed(field:rule:)``, or
  ///   ``TranscriptionError/contradiction(_:)`` for settings that do not go together.
  init(_ configuration: V1.TranscriptionConfiguration?) throws(TranscriptionError) {
    guard let configuration else {
      throw .malformed(field: "configuration", rule: "present")
    }
    try Self.checkTexts(of: configuration)
    try Self.checkContradictions(of: configuration)
    language = try Self.language(of: configuration)
    engine = configuration.engine.isEmpty ? nil : configuration.engine
    translations = try LanguageCode.readAll(configuration.translateTo, "translate_to")
    text = try TextRules(configuration)
    self.configuration = configuration
  }

  private static func language(
    of configuration: V1.TranscriptionConfiguration
  ) throws(TranscriptionError) -> SpokenLanguage {
    if let code = try LanguageCode.read(configuration.languageCode, "language_code") {
      return .named(code)
    }
    guard configuration.isLanguageIdentified else { return .engineDefault }
    let options = try LanguageCode.readAll(configuration.languageOptions, "language_options")
    let preferred = try LanguageCode.read(configuration.preferredLanguage, "preferred_language")
    guard let preferred else { return .identified(among: options) }
    guard options.contains(preferred) else {
      throw .contradiction("preferred_language is none of language_options")
    }
    return .identified(among: [preferred] + options.filter { $0 != preferred })
  }

  private static func checkTexts(
    of configuration: V1.TranscriptionConfiguration
  ) throws(TranscriptionError) {
    guard configuration.engine.isEmpty || EngineDescription.isName(configuration.engine) else {
      throw .malformed(field: "engine", rule: EngineDescription.nameRule)
    }
    for (field, texts) in [
      ("phrases", configuration.phrases), ("filtered_words", configuration.filteredWords),
    ] {
      guard texts.count <= 1_000,
        texts.allSatisfy({ (1...256).contains($0.unicodeScalars.count) })
      else { throw .malformed(field: field, rule: "at most 1000 of 1-256 characters") }
    }
    for (field, texts) in [
      ("vocabulary_names", configuration.vocabularyNames),
      ("vocabulary_filter_names", configuration.vocabularyFilterNames),
      ("pii_entity_types", configuration.piiEntityTypes),
      ("language_options", configuration.languageOptions),
      ("translate_to", configuration.translateTo),
    ] {
      guard texts.count <= 200, texts.allSatisfy({ (1...256).contains($0.utf8.count) }) else {
        throw .malformed(field: field, rule: "at most 200 of 1-256 bytes")
      }
    }
    guard configuration.languageModelName.utf8.count <= 200, configuration.region.utf8.count <= 64
    else { throw .malformed(field: "language_model_name", rule: "200 bytes at most") }
    guard configuration.json.utf8.count <= 65_536 else {
      throw .malformed(field: "json", rule: "65536 bytes at most")
    }
  }

  /// The contradictions of the control API, which refuses them too.
  private static func checkContradictions(
    of configuration: V1.TranscriptionConfiguration
  ) throws(TranscriptionError) {
    let options = configuration.languageOptions
    let languages = try LanguageCode.readAll(options, "language_options").map(\.language)
    let hides = configuration.contentRedaction != .unspecified
    let rules: [(Bool, String)] = [
      (
        configuration.isLanguageIdentified && !configuration.languageCode.isEmpty,
        "language_code with is_language_identified"
      ),
      (
        !options.isEmpty && !configuration.isLanguageIdentified,
        "language_options without is_language_identified"
      ),
      (options.count == 1, "one language in language_options"),
      (Set(languages).count < languages.count, "two dialects of a language in language_options"),
      (
        !configuration.preferredLanguage.isEmpty && options.isEmpty,
        "preferred_language without language_options"
      ),
      (
        configuration.isLanguageIdentified && (hides || !configuration.languageModelName.isEmpty),
        "is_language_identified with language_model_name or content_redaction"
      ),
      (
        hides && configuration.contentIdentification != .unspecified,
        "content_identification with content_redaction"
      ),
      (
        !configuration.piiEntityTypes.isEmpty && !hides
          && configuration.contentIdentification == .unspecified,
        "pii_entity_types without a content type"
      ),
    ]
    for (isBroken, what) in rules where isBroken { throw .contradiction(what) }
  }
}

extension TextRules {
  fileprivate init(_ configuration: V1.TranscriptionConfiguration) throws(TranscriptionError) {
    filtered = configuration.filteredWords.map { phrase in
      phrase.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }.filter { !$0.isEmpty }
    switch configuration.vocabularyFilterMethod {
    case .unspecified, .tag: filterMethod = .tag
    case .mask: filterMethod = .mask
    case .remove: filterMethod = .remove
    case .unrecognized:
      throw .malformed(field: "vocabulary_filter_method", rule: "REMOVE, MASK or TAG")
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
      throw .malformed(field: "partial_results_stability", rule: "LOW, MEDIUM or HIGH")
    }
  }
}

extension SensitiveContent {
  fileprivate static func read(
    _ type: V1.SensitiveContentType
  ) throws(TranscriptionError) -> SensitiveContent? {
    switch type {
    case .unspecified: nil
    case .pii: .personal
    case .phi: .health
    case .unrecognized: throw .malformed(field: "content type", rule: "PII or PHI")
    }
  }
}
