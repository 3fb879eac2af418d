import MeetingModel
import Wire

extension TranscriptionSettings {
  /// Reads an operator's configuration.
  ///
  /// - Throws: ``InvalidModelValue`` for an invalid value, and for settings that contradict each
  ///   other.
  init(_ configuration: V1.TranscriptionConfiguration?) throws(InvalidModelValue) {
    guard let configuration else {
      throw .invalidValue(what: "configuration", rule: "present")
    }
    try configuration.check()
    language = try Self.language(of: configuration)
    engine = configuration.engine.isEmpty ? nil : configuration.engine
    translations = try LanguageCode.readAll(configuration.translateTo, "translate_to")
    text = TranscriptTextRules(configuration)
    source = OpaqueTranscriptionConfiguration(configuration)
  }

  private static func language(
    of configuration: V1.TranscriptionConfiguration
  ) throws(InvalidModelValue) -> SpokenLanguage {
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

extension OpaqueTranscriptionConfiguration {
  fileprivate init(_ configuration: V1.TranscriptionConfiguration) {
    self.init(
      packed: configuration.packed(), region: configuration.region,
      json: configuration.json)
  }

  /// The encoded configuration.
  var wire: V1.TranscriptionConfiguration {
    (try? V1.TranscriptionConfiguration(packed: packed)) ?? V1.TranscriptionConfiguration()
  }
}

extension TranscriptTextRules {
  /// Reads the rules of a validated configuration.
  fileprivate init(_ configuration: V1.TranscriptionConfiguration) {
    filtered = configuration.filteredWords.map { phrase in
      phrase.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }.filter { !$0.isEmpty }
    filterMethod = VocabularyFilterMethod(configuration.vocabularyFilterMethod) ?? .tag
    identified = SensitiveContentType(configuration.contentIdentification)
    redacted = SensitiveContentType(configuration.contentRedaction)
    entityTypes = Set(configuration.piiEntityTypes.filter { $0 != "ALL" })
    guard configuration.isPartialResultsStabilizationEnabled else { return }
    stableAfter =
      switch PartialResultsStability(configuration.partialResultsStability) ?? .low {
      case .low: 2
      case .medium: 3
      case .high: 5
      }
  }
}
