internal import MeetingModel

/// A row of a result, with a value for each column.
struct SQLRow: Sendable {
  /// The index of each column by its name, shared by all rows of a result.
  let columns: [String: Int]
  let values: [SQLValue]

  /// The error for a column with a value that this program never writes.
  struct Damage: Error {
    var column: String
  }

  /// The value of a column; NULL for a missing column.
  subscript(_ column: String) -> SQLValue { columns[column].map { values[$0] } ?? .null }
}

/// Conversions of columns to values.
///
/// An impossible value causes an error, because the store may be damaged.
extension SQLRow {
  func text(_ column: String) throws(Damage) -> String {
    switch self[column] {
    case .text(let text): return text
    // PostgreSQL's texts cannot contain NUL, so a text that may contain NUL is in a column of
    // bytes.
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

  /// Returns a case of an enumeration from a column that contains the case as text.
  func word<Word: RawRepresentable<String>>(_ column: String) throws(Damage) -> Word {
    guard let word = Word(rawValue: try text(column)) else { throw Damage(column: column) }
    return word
  }

  /// Parses a value from text, such as an identifier, and returns it.
  func parsed<Value>(
    _ column: String, _ make: (String) throws(InvalidModelValue) -> Value
  ) throws(Damage) -> Value {
    let text = try text(column)
    do { return try make(text) } catch { throw Damage(column: column) }
  }

  func parsedIfPresent<Value>(
    _ column: String, _ make: (String) throws(InvalidModelValue) -> Value
  ) throws(Damage) -> Value? {
    isNull(column) ? nil : try parsed(column, make)
  }

  /// Returns a display name; `nil` if the row has no display name.
  ///
  /// The number of characters in a text changes with the version of Unicode. So a stored name may
  /// become too long. This method omits a name that is too long, and does not report the row as
  /// damaged.
  func displayName(_ column: String) throws(Damage) -> DisplayName? {
    isNull(column) ? nil : try? DisplayName(try text(column))
  }

  /// Returns a value composed of several columns. If the columns conflict, the error contains
  /// `name`.
  func composed<Value>(_ name: String, _ make: () throws -> Value) throws -> Value {
    do { return try make() } catch is InvalidModelValue { throw Damage(column: name) }
  }
}
