internal import Synchronization

/// Translates statements to PostgreSQL's syntax.
enum PostgresSQLTranslator {
  private static let known = Mutex<[String: String]>([:])

  /// Numbers the arguments: `?` becomes the next number, and `?2` becomes the second argument.
  ///
  /// Does not change question marks in literals. Translates each statement of the program once.
  static func translated(_ sql: String) -> String {
    if let known = known.withLock({ $0[sql] }) { return known }
    let translated = numbered(sql)
    known.withLock { $0[sql] = translated }
    return translated
  }

  private static func numbered(_ sql: String) -> String {
    var result = ""
    var last = 0
    var isLiteral = false
    var rest = sql[...]
    while let character = rest.popFirst() {
      if character == "'" { isLiteral.toggle() }
      guard character == "?", !isLiteral else {
        result.append(character)
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let number = Int(digits) ?? last + 1
      last = max(last, number)
      result += "$\(number)"
    }
    return result
  }
}
