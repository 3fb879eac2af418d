import MeetingModel
import Wire

extension EngineDescription {
  /// Reads an engine's description of itself.
  ///
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` for an invalid field.
  init(_ request: V1.AttachEngineRequest) throws(InvalidModelValue) {
    let capabilities = request.capabilities ?? V1.EngineCapabilities()
    guard V1.TranscriptionConfiguration.isEngineName(request.engineID) else {
      throw .invalidValue(what: "engine_id", rule: V1.TranscriptionConfiguration.engineNameRule)
    }
    guard V1.TranscriptionConfiguration.isEngineName(capabilities.name) else {
      throw .invalidValue(what: "name", rule: V1.TranscriptionConfiguration.engineNameRule)
    }
    guard capabilities.version.utf8.count <= 256 else {
      throw .invalidValue(what: "version", rule: "256 bytes at most")
    }
    guard (1...1_000).contains(capabilities.maxStreams) else {
      throw .invalidValue(what: "max_streams", rule: "1-1000")
    }
    guard (1...200).contains(capabilities.languages.count) else {
      throw .invalidValue(what: "languages", rule: "1-200 languages")
    }
    var languages: [Language] = []
    for language in capabilities.languages {
      guard let code = try LanguageCode.read(language.languageCode, "language_code") else {
        throw .invalidValue(what: "language_code", rule: LanguageCode.rule)
      }
      guard language.translatesTo.count <= 200 else {
        throw .invalidValue(what: "translates_to", rule: "200 languages at most")
      }
      languages.append(
        Language(
          code: code,
          translations: try LanguageCode.readAll(language.translatesTo, "translates_to")))
    }
    id = request.engineID
    name = capabilities.name
    self.languages = languages
    hasPartials = capabilities.hasPartials
    identifiesLanguage = capabilities.identifiesLanguage
    identifiesContent = capabilities.identifiesContent
    maxStreams = Int(capabilities.maxStreams)
    hasVocabulary = capabilities.hasVocabulary
    version = capabilities.version
  }
}

extension V1.EngineCapabilities {
  init(_ engine: EngineDescription) {
    self.init(
      name: engine.name, version: engine.version,
      languages: engine.languages.map {
        V1.EngineLanguage(
          languageCode: $0.code.text, translatesTo: $0.translations.map(\.text))
      }, hasPartials: engine.hasPartials, hasVocabulary: engine.hasVocabulary,
      identifiesLanguage: engine.identifiesLanguage,
      identifiesContent: engine.identifiesContent,
      maxStreams: UInt32(clamping: engine.maxStreams))
  }
}
