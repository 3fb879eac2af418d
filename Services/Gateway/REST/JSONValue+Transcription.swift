import MeetingModel
import Wire

extension JSONValue {
  /// Encodes a configuration from an operator's tool as a `TranscriptionConfiguration` of the
  /// control API.
  init(_ configuration: V1.TranscriptionConfiguration) {
    var members: [String: JSONValue] = [:]
    func set(_ name: String, _ text: String) {
      if !text.isEmpty { members[name] = .string(text) }
    }
    set("LanguageCode", configuration.languageCode)
    set("Region", configuration.region)
    set("VocabularyNames", configuration.vocabularyNames.joined(separator: ","))
    if let medical = configuration.medical {
      set("Specialty", medical.specialty)
      set("Type", medical.type)
      if configuration.contentIdentification == .phi { set("ContentIdentificationType", "PHI") }
      self = .object(["EngineTranscribeMedicalSettings": .object(members)])
      return
    }
    if configuration.isLanguageIdentified { members["IdentifyLanguage"] = .bool(true) }
    set("LanguageOptions", configuration.languageOptions.joined(separator: ","))
    set("PreferredLanguage", configuration.preferredLanguage)
    set("VocabularyFilterNames", configuration.vocabularyFilterNames.joined(separator: ","))
    set("LanguageModelName", configuration.languageModelName)
    set("PiiEntityTypes", configuration.piiEntityTypes.joined(separator: ","))
    if configuration.contentIdentification == .pii { set("ContentIdentificationType", "PII") }
    if configuration.contentRedaction == .pii { set("ContentRedactionType", "PII") }
    if let method = VocabularyFilterMethod(configuration.vocabularyFilterMethod) {
      set("VocabularyFilterMethod", method.rawValue)
    }
    if configuration.isPartialResultsStabilizationEnabled {
      members["EnablePartialResultsStabilization"] = .bool(true)
    }
    if let stability = PartialResultsStability(configuration.partialResultsStability) {
      set("PartialResultsStability", stability.rawValue)
    }
    self = .object(["EngineTranscribeSettings": .object(members)])
  }
}
