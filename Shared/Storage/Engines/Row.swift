internal import MeetingModel

/// A row that a statement answered, with a value for each column.
struct Row: Sendable {
  /// The place of each column by its name; rows of one answer share it.
  let columns: [String: Int]
  let values: [SQLValue]

  /// A column holds what the program never writes there.
  struct Damage: Error {
    var column: String
  }

  /// NULL for a column that is not there.
  subscript(_ column: String) -> SQLValue { columns[column].map { values[$0] } ?? .null }
}

/// Columns as values. What a column cannot hold is reported, not trapped: the store may be damaged.
extension Row {
  func text(_ column: String) throws(Damage) -> String {
    switch self[column] {
    case .text(let text): return text
    // A text that may hold any character is kept as bytes by an engine whose texts may not.
    case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .null, .integer: throw Damage(column: column)
    }
  }

  func number(_ column: String) throws(Damage) -> Int64 {
    guard case .integer(let number) = self[column] else { throw Damage(column: column) }
    return number
  }

  func numberIfPresent(_ column: String) throws(Damage) -> Int64? {
    isNull(column) ? nil : try number(column)
  }

  func isNull(_ column: String) -> Bool { self[column] == .null }

  func flag(_ column: String) throws(Damage) -> Bool { try number(column) != 0 }

  func bytes(_ column: String) throws(Damage) -> [UInt8] {
    switch self[column] {
    case .bytes(let bytes): return bytes
    case .text(let text): return Array(text.utf8)
    case .null, .integer: throw Damage(column: column)
    }
  }

  func bytesIfPresent(_ column: String) throws(Damage) -> [UInt8]? {
    isNull(column) ? nil : try bytes(column)
  }

  /// A case of an enumeration that is kept as text.
  func word<Word: RawRepresentable<String>>(_ column: String) throws(Damage) -> Word {
    guard let word = Word(rawValue: try text(column)) else { throw Damage(column: column) }
    return word
  }

  /// A value that is made from text, such as an identifier.
  func parsed<Value>(
    _ column: String, _ make: (String) throws(ModelError) -> Value
  ) throws(Damage) -> Value {
    let text = try text(column)
    do { return try make(text) } catch { throw Damage(column: column) }
  }

  func parsedIfPresent<Value>(
    _ column: String, _ make: (String) throws(ModelError) -> Value
  ) throws(Damage) -> Value? {
    isNull(column) ? nil : try parsed(column, make)
  }

  /// What people call somebody; `nil` where there is no name. What counts as one character changes
  /// with Unicode: a name that has become too long is left out, and the row is not damaged.
  func displayName(_ column: String) throws(Damage) -> DisplayName? {
    isNull(column) ? nil : try? DisplayName(try text(column))
  }

  /// A value that several columns make up; `name` stands for them if they do not go together.
  func composed<Value>(_ name: String, _ make: () throws -> Value) throws -> Value {
    do { return try make() } catch is ModelError { throw Damage(column: name) }
  }
}
