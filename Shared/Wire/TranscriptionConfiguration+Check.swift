public import MeetingModel

extension V1.TranscriptionConfiguration {
  /// Checks that each value is valid, and that no two values contradict each other by the rules of
  /// the control API.
  ///
  /// - Throws: An ``InvalidModelValue`` that names the invalid field or the contradiction.
  public func check() throws(InvalidModelValue) {
    try checkTexts()
    try checkWords()
    try checkContradictions()
  }

  private func checkWords() throws(InvalidModelValue) {
    let words: [(String, Int32)] = [
      ("vocabulary_filter_method", vocabularyFilterMethod.rawValue),
      ("partial_results_stability", partialResultsStability.rawValue),
    ]
    for (field, value) in words where !(0...3).contains(value) {
      throw .invalidValue(what: field, rule: "one of those that this version knows")
    }
    for type in [contentIdentification, contentRedaction] where !(0...2).contains(type.rawValue) {
      throw .invalidValue(what: "content type", rule: "PII or PHI")
    }
  }

  private func checkTexts() throws(InvalidModelValue) {
    guard engine.isEmpty || Self.isEngineName(engine) else {
      throw .invalidValue(what: "engine", rule: Self.engineNameRule)
    }
    for (field, texts) in [("phrases", phrases), ("filtered_words", filteredWords)] {
      guard texts.count <= 1_000,
        texts.allSatisfy({ (1...256).contains($0.unicodeScalars.count) })
      else { throw .invalidValue(what: field, rule: "at most 1000 of 1-256 characters") }
    }
    for (field, texts) in [
      ("vocabulary_names", vocabularyNames), ("vocabulary_filter_names", vocabularyFilterNames),
      ("pii_entity_types", piiEntityTypes), ("language_options", languageOptions),
      ("translate_to", translateTo),
    ] {
      guard texts.count <= 200, texts.allSatisfy({ (1...256).contains($0.utf8.count) }) else {
        throw .invalidValue(what: field, rule: "at most 200 of 1-256 bytes")
      }
    }
    guard languageModelName.utf8.count <= 200 else {
      throw .invalidValue(what: "language_model_name", rule: "200 bytes at most")
    }
    guard region.utf8.count <= 64 else {
      throw .invalidValue(what: "region", rule: "64 bytes at most")
    }
    guard json.utf8.count <= 65_536 else {
      throw .invalidValue(what: "json", rule: "65536 bytes at most")
    }
    _ = try LanguageCode.read(languageCode, "language_code")
    _ = try LanguageCode.readAll(translateTo, "translate_to")
  }

  private func checkContradictions() throws(InvalidModelValue) {
    let options = try LanguageCode.readAll(languageOptions, "language_options")
    let languages = options.map(\.language)
    let preferred = try LanguageCode.read(preferredLanguage, "preferred_language")
    let hides = contentRedaction != .unspecified
    let rules: [(Bool, String)] = [
      (
        isLanguageIdentified && !languageCode.isEmpty,
        "language_code with is_language_identified"
      ),
      (
        !options.isEmpty && !isLanguageIdentified,
        "language_options without is_language_identified"
      ),
      (options.count == 1, "one language in language_options"),
      (Set(languages).count < languages.count, "two dialects of a language in language_options"),
      (preferred != nil && options.isEmpty, "preferred_language without language_options"),
      (
        preferred.map { !options.contains($0) } ?? false,
        "preferred_language is none of language_options"
      ),
      (
        isLanguageIdentified && (hides || !languageModelName.isEmpty),
        "is_language_identified with language_model_name or content_redaction"
      ),
      (
        hides && contentIdentification != .unspecified,
        "content_identification with content_redaction"
      ),
      (
        !piiEntityTypes.isEmpty && !hides && contentIdentification == .unspecified,
        "pii_entity_types without a content type"
      ),
    ]
    for (isBroken, what) in rules where isBroken {
      throw .forbiddenCombination(rule: "The settings contradict each other: \(what).")
    }
  }

  /// The rule for the name of an engine. The rule completes an error text that ends in "it must
  /// be".
  public static let engineNameRule = "1-64 letters, digits, _, . or -"

  /// Returns whether a text is a valid name of an engine.
  public static func isEngineName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
