public import MeetingModel

extension LanguageCode {
  /// Decodes a language code that a message carries.
  ///
  /// - Parameter field: The name of the field, for the error.
  /// - Returns: `nil` for an empty text, which means that there is no code.
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` if the text is not a language code.
  public static func read(_ text: String, _ field: String) throws(InvalidModelValue)
    -> LanguageCode?
  {
    guard !text.isEmpty else { return nil }
    guard isValid(text) else { throw .invalidValue(what: field, rule: rule) }
    return LanguageCode(unchecked: text)
  }

  /// Decodes a list of language codes that a message carries.
  ///
  /// - Parameter field: The name of the field, for the error.
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` if a text is empty, or is not a
  ///   language code.
  public static func readAll(
    _ texts: [String], _ field: String
  ) throws(InvalidModelValue) -> [LanguageCode] {
    var codes: [LanguageCode] = []
    for text in texts {
      guard let code = try read(text, field) else {
        throw .invalidValue(what: field, rule: rule)
      }
      codes.append(code)
    }
    return codes
  }
}
