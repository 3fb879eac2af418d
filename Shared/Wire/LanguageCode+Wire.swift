public import MeetingModel

extension LanguageCode {
  /// Reads a code as it travels: empty for none.
  ///
  /// - Parameter field: Its name, for the error.
  /// - Throws: ``ModelError/invalidValue(what:rule:)``.
  public static func read(_ text: String, _ field: String) throws(ModelError) -> LanguageCode? {
    guard !text.isEmpty else { return nil }
    guard isValid(text) else { throw .invalidValue(what: field, rule: rule) }
    return LanguageCode(unchecked: text)
  }

  /// Reads codes as they travel, none of them empty.
  ///
  /// - Parameter field: Their name, for the error.
  /// - Throws: ``ModelError/invalidValue(what:rule:)``.
  public static func readAll(
    _ texts: [String], _ field: String
  ) throws(ModelError) -> [LanguageCode] {
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
