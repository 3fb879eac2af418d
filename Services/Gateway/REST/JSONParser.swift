/// The reason why the parser rejects bytes.
struct JSONError: Error, Hashable {
  /// The number of bytes before the error.
  let position: Int

  /// The words that complete the sentence "The body is …".
  let problem: String

  /// Whether the bytes are valid JSON, but contain a value that the parser rejects: see
  /// ``JSONParser``.
  var isUnusableValue = false
}

/// A strict parser for one JSON text (RFC 8259).
///
/// `JSONDecoder` is too lenient. It reads `1.0` as an integer. If two members have the same name,
/// it uses the last member. It also does not distinguish invalid JSON from a rejected value.
///
/// The parser rejects invalid JSON. It also rejects bytes that are not UTF-8, escapes that are not
/// Unicode scalars, repeated names in an object, and nesting beyond ``depthLimit``. It also rejects
/// U+0000 in a string, but only if all other bytes are valid JSON.
struct JSONParser {
  /// The maximum nesting of objects and arrays.
  static let depthLimit = 100

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  /// The number of bytes up to the end of the first escape of U+0000.
  private var firstNul: Int?

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes)
    parser.skipSpace()
    let value = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.error("followed by something else") }
    if let position = parser.firstNul {
      throw JSONError(
        position: position, problem: "JSON with the character U+0000 in a string",
        isUnusableValue: true)
    }
    return value
  }

  // MARK: Values

  private mutating func value() throws(JSONError) -> JSONValue {
    guard let next else { throw error("no JSON") }
    switch next {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw error("no JSON")
    }
  }

  private mutating func nested(
    _ read: (inout JSONParser) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    depth += 1
    guard depth <= Self.depthLimit else { throw error("nested deeper than \(Self.depthLimit)") }
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    position += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("an object without a member's name") }
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("an object without a colon") }
      skipSpace()
      guard members.updateValue(try value(), forKey: name) == nil else {
        throw error("an object with one name twice")
      }
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw error("an object without an end") }
    return .object(members)
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      skipSpace()
      elements.append(try value())
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw error("a list without an end") }
    return .array(elements)
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    for byte in "\(word)".utf8 {
      guard take(byte) else { throw error("no JSON") }
    }
    return value
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    var isInteger = true
    if take(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    return .number(text)
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw error("a number without a digit") }
  }

  // MARK: Strings

  private mutating func string() throws(JSONError) -> String {
    position += 1
    var content: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else {
          throw error("no UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): content += try escaped()
      case 0..<0x20: throw error("a string with a control character")
      default: content.append(byte)
      }
    }
    throw error("a string without an end")
  }

  /// Reads the escape after a backslash. Returns its UTF-8 bytes.
  private mutating func escaped() throws(JSONError) -> [UInt8] {
    guard let byte = next else { throw error("a string without an end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
    default: throw error("a string with an unknown escape")
    }
  }

  private mutating func scalar() throws(JSONError) -> Character {
    let first = try codeUnit()
    if first == 0 { firstNul = firstNul ?? position }
    if let scalar = Unicode.Scalar(first) { return Character(scalar) }
    guard UTF16.isLeadSurrogate(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw error("a string with half a surrogate pair")
    }
    let second = try codeUnit()
    guard UTF16.isTrailSurrogate(second) else {
      throw error("a string with half a surrogate pair")
    }
    return Character(UTF16.decode(UTF16.EncodedScalar([first, second])))
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("a string with an unknown escape")
      }
      position += 1
      value = value << 4 | UInt16(digit)
    }
    return value
  }

  // MARK: Bytes

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private func error(_ problem: String) -> JSONError {
    JSONError(position: position, problem: problem)
  }
}
