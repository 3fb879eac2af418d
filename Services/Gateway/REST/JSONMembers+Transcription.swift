import MeetingModel
import Wire

// Reads the bodies of requests about transcription.
extension JSONMembers {
  /// Reads the language of captions, in requests of hosts and of the page.
  func captionConfiguration() throws(RESTError) -> V1.TranscriptionConfiguration {
    .init(languageCode: try required("LanguageCode", string("LanguageCode")))
  }

  /// Reads the member `TranscriptionConfiguration` of StartMeetingTranscription.
  ///
  /// The initializer of the configuration later checks whether members contradict each other.
  func transcriptionConfiguration() throws(RESTError) -> V1.TranscriptionConfiguration {
    let asked = try required(
      "TranscriptionConfiguration", object("TranscriptionConfiguration"))
    let general = try asked.object("EngineTranscribeSettings")
    let medical = try asked.object("EngineTranscribeMedicalSettings")
    var configuration: V1.TranscriptionConfiguration
    switch (general, medical) {
    case (let general?, nil): configuration = try general.generalSettings()
    case (nil, let medical?): configuration = try medical.medicalSettings()
    default:
      throw wrong(
        "TranscriptionConfiguration",
        "must have either EngineTranscribeSettings or EngineTranscribeMedicalSettings")
    }
    configuration.json = asked.value.withoutNulls.text
    return configuration
  }

  private func generalSettings() throws(RESTError) -> V1.TranscriptionConfiguration {
    let language: TranscribedLanguage? = try word("LanguageCode")
    let isIdentified = try flag("IdentifyLanguage") ?? false
    guard (language != nil) != isIdentified else {
      throw wrong("LanguageCode", "is required, or a true IdentifyLanguage, and not both")
    }
    let preferred: TranscribedLanguage? = try word("PreferredLanguage")
    let region: TranscriptionRegion? = try word("Region")
    let method: VocabularyFilterMethod? = try word("VocabularyFilterMethod")
    let stability: PartialResultsStability? = try word("PartialResultsStability")
    let identification: TranscriptionPIIType? = try word("ContentIdentificationType")
    let redaction: TranscriptionPIIType? = try word("ContentRedactionType")
    return V1.TranscriptionConfiguration(
      languageCode: language?.rawValue ?? "", isLanguageIdentified: isIdentified,
      languageOptions: try languageOptions(), preferredLanguage: preferred?.rawValue ?? "",
      vocabularyNames: try vocabularies("VocabularyName", "VocabularyNames"),
      vocabularyFilterNames: try vocabularies("VocabularyFilterName", "VocabularyFilterNames"),
      vocabularyFilterMethod: method.map { .init($0) } ?? .unspecified,
      region: region?.rawValue ?? "",
      isPartialResultsStabilizationEnabled: try flag("EnablePartialResultsStabilization") ?? false,
      partialResultsStability: stability.map { .init($0) } ?? .unspecified,
      contentIdentification: identification == nil ? .unspecified : .pii,
      contentRedaction: redaction == nil ? .unspecified : .pii,
      piiEntityTypes: try parts("PiiEntityTypes", 1...300, "A-Z, _, comma and space") {
        ("A"..."Z").contains($0) || $0 == "_" || $0 == " "
      },
      languageModelName: try text("LanguageModelName", 1...200, "letters, digits, ., _ and -") {
        $0.isLetterOrDigit || ".-_".unicodeScalars.contains($0)
      } ?? "")
  }

  private func medicalSettings() throws(RESTError) -> V1.TranscriptionConfiguration {
    let language: MedicalLanguage = try required("LanguageCode", word("LanguageCode"))
    let specialty: MedicalSpecialty = try required("Specialty", word("Specialty"))
    let type: MedicalSpeech = try required("Type", word("Type"))
    let region: MedicalRegion? = try word("Region")
    let identification: TranscriptionPHIType? = try word("ContentIdentificationType")
    return V1.TranscriptionConfiguration(
      languageCode: language.rawValue,
      vocabularyNames: try vocabularies("VocabularyName", nil), region: region?.rawValue ?? "",
      contentIdentification: identification == nil ? .unspecified : .phi,
      medical: V1.MedicalSettings(specialty: specialty.rawValue, type: type.rawValue))
  }

  private func languageOptions() throws(RESTError) -> [String] {
    let options = try parts("LanguageOptions", 1...200, "letters, - and comma") {
      $0.isLetterOrDigit || $0 == "-"
    }
    for option in options where TranscribedLanguage(rawValue: option) == nil {
      throw wrong("LanguageOptions", "must be language codes; \(option) is none")
    }
    return options
  }

  /// Returns the name in the member `one`, and the names in the member `several`.
  ///
  /// The name in `one` may be any text. If no vocabulary can have this name, the method ignores the
  /// name.
  private func vocabularies(_ one: String, _ several: String?) throws(RESTError) -> [String] {
    let name = try text(one, 0...4_096, "any") { _ in true } ?? ""
    let isName =
      (1...200).contains(name.utf8.count) && name.unicodeScalars.allSatisfy(Self.isNamePart)
    var names = isName ? [name] : []
    if let several {
      names += try parts(
        several, 1...3_000, "letters, digits, ., _ and -, with commas", Self.isNamePart)
    }
    return names
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isLetterOrDigit || ".-_".unicodeScalars.contains(scalar)
  }

  // MARK: Texts

  /// Splits a text at its commas, and removes spaces around the parts.
  private func parts(
    _ name: String, _ lengths: ClosedRange<Int>, _ rule: String,
    _ isAllowed: (Unicode.Scalar) -> Bool
  ) throws(RESTError) -> [String] {
    let whole = try text(name, lengths, rule) { $0 == "," || $0 == " " || isAllowed($0) }
    let parts = (whole ?? "").split(separator: ",", omittingEmptySubsequences: false).map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard whole == nil || parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
      throw wrong(name, "must be a list with a comma between its parts")
    }
    return whole == nil ? [] : parts
  }

  private func text(
    _ name: String, _ lengths: ClosedRange<Int>, _ rule: String,
    _ isAllowed: (Unicode.Scalar) -> Bool
  ) throws(RESTError) -> String? {
    guard let text = try string(name) else { return nil }
    guard lengths.contains(text.unicodeScalars.count), text.unicodeScalars.allSatisfy(isAllowed)
    else {
      throw wrong(
        name, "must be \(lengths.lowerBound)-\(lengths.upperBound) characters: \(rule)")
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }
}
