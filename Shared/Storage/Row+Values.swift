internal import Foundation
internal import GRDB
internal import MeetingModel

/// Columns as values. What a column cannot hold is reported, not trapped: the file may be damaged.
extension Row {
  /// A column holds what the program never writes there.
  struct Damage: Error {
    var column: String
  }

  func text(_ column: String) throws(Damage) -> String {
    try value(column) { String.fromDatabaseValue($0) }
  }

  func number(_ column: String) throws(Damage) -> Int64 {
    try value(column) { Int64.fromDatabaseValue($0) }
  }

  func numberIfPresent(_ column: String) throws(Damage) -> Int64? {
    let stored: DatabaseValue = self[column]
    return stored.isNull ? nil : try number(column)
  }

  func flag(_ column: String) throws(Damage) -> Bool { try number(column) != 0 }

  func bytes(_ column: String) throws(Damage) -> [UInt8] {
    Array(try value(column) { Data.fromDatabaseValue($0) })
  }

  func bytesIfPresent(_ column: String) throws(Damage) -> [UInt8]? {
    let stored: DatabaseValue = self[column]
    return stored.isNull ? nil : try bytes(column)
  }

  /// A case of an enumeration that is kept as text.
  func word<Word: RawRepresentable<String>>(_ column: String) throws(Damage) -> Word {
    try value(column) { String.fromDatabaseValue($0).flatMap(Word.init(rawValue:)) }
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
    let stored: DatabaseValue = self[column]
    return stored.isNull ? nil : try parsed(column, make)
  }

  /// A value that several columns make up; `name` stands for them if they do not go together.
  func composed<Value>(_ name: String, _ make: () throws -> Value) throws -> Value {
    do { return try make() } catch is ModelError { throw Damage(column: name) }
  }

  private func value<Value>(
    _ column: String, _ convert: (DatabaseValue) -> Value?
  ) throws(Damage) -> Value {
    guard let value = convert(self[column]) else { throw Damage(column: column) }
    return value
  }
}
