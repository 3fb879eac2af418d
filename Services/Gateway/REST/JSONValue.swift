/// A JSON value (RFC 8259) that distinguishes `true` from `1` and `1` from `1.0`.
enum JSONValue: Hashable, Sendable {
  case object([String: JSONValue])
  case array([JSONValue])
  case string(String)
  /// An integer that fits into 64 bits, written without a fraction and without an exponent.
  case integer(Int64)
  /// Any other number, as the text in the request.
  case number(String)
  case bool(Bool)
  case null

  /// The value as JSON text, with members sorted by name and without white space.
  ///
  /// Equal values have equal texts.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// The value without the `null` members of objects, at every depth, because a `null` member means
  /// an absent member.
  var withoutNulls: JSONValue {
    switch self {
    case .object(let members):
      .object(members.filter { $0.value != .null }.mapValues(\.withoutNulls))
    case .array(let elements): .array(elements.map(\.withoutNulls))
    case .string, .integer, .number, .bool, .null: self
    }
  }

  private func write(to text: inout String) {
    switch self {
    case .object(let members):
      text += "{"
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text += "," }
        Self.quote(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .string(let string): Self.quote(string, to: &text)
    case .integer(let number): text += "\(number)"
    case .number(let number): text += number
    case .bool(let bool): text += bool ? "true" : "false"
    case .null: text += "null"
    }
  }

  private static func quote(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1F}":
        text += scalar.value < 16 ? "\\u000" : "\\u00"
        text += String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
