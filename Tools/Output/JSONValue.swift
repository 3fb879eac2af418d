/// A JSON value (RFC 8259) with members in insertion order.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case text(String)
  case list([JSONValue])
  case object(OutputRecord)

  /// The number; `nil` if the value is not a number.
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }

  /// The value as one line of JSON.
  package var json: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .text(let text): Self.quoted(text)
    case .list(let values): "[\(values.map(\.json).joined(separator: ", "))]"
    case .object(let record): record.json
    }
  }

  /// The value for a person, in one line that cannot control a terminal.
  package var text: String {
    switch self {
    case .null: "-"
    case .bool(let value): value ? "yes" : "no"
    case .integer(let value): "\(value)"
    case .text(let text): text.isEmpty ? "-" : PrintableText.escaped(text)
    case .list(let values): values.map(\.text).joined(separator: " ")
    case .object(let record):
      record.fields.map { "\($0.name)=\($0.value.text)" }.joined(separator: " ")
    }
  }

  /// Returns a JSON string with control characters escaped, so that a value never ends its line.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _
      where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        || (0x2028...0x2029).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates a number from a count or a time in a message. All such values fit into an `Int`.
  package init(_ value: some BinaryInteger) { self = .integer(Int(clamping: value)) }
}
