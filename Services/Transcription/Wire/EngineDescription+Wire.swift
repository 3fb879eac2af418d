import Wire

extension EngineDescription {
  /// Reads what an engine says of itself.
  ///
  /// - Throws: ``TranscriptionError/malformed(field:rule:)``.
  init(_ request: V1.AttachEngineRequest) throws(TranscriptionError) {
    let capabilities = request.capabilities ?? V1.EngineCapabilities()
    guard Self.isName(request.engineID) else {
      throw .malformed(field: "engine_id", rule: Self.nameRule)
    }
    guard Self.isName(capabilities.name) else {
      throw .malformed(field: "name", rule: Self.nameRule)
    }
    guard capabilities.version.utf8.count <= 256 else {
      throw .malformed(field: "version", rule: "256 bytes at most")
    }
    guard (1...1_000).contains(capabilities.maxStreams) else {
      throw .malformed(field: "max_streams", rule: "1-1000")
    }
    guard (1...200).contains(capabilities.languages.count) else {
      throw .malformed(field: "languages", rule: "1-200 languages")
    }
    var languages: [Language] = []
    for language in capabilities.languages {
      guard let code = try LanguageCode.read(language.languageCode, "language_code") else {
        throw .malformed(field: "language_code", rule: LanguageCode.rule)
      }
      guard language.translatesTo.count <= 200 else {
        throw .malformed(field: "translates_to", rule: "200 languages at most")
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
    self.capabilities = capabilities
  }

  static let nameRule = "1-64 letters, digits, _, . or -"

  /// Whether a text can name an engine.
  static func isName(_ text: String) -> Bool {
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

extension LanguageCode {
  /// Reads codes as they travel, none of them empty.
  static func readAll(
    _ texts: [String], _ field: String
  ) throws(TranscriptionError) -> [LanguageCode] {
    var codes: [LanguageCode] = []
    for text in texts {
      guard let code = try read(text, field) else { throw .malformed(field: field, rule: rule) }
      codes.append(code)
    }
    return codes
  }
}
