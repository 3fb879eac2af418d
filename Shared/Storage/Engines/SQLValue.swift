/// A value of a column or an argument, for all engines.
enum SQLValue: Hashable, Sendable {
  /// SQL's NULL.
  case null
  /// An integer; a Boolean is 0 or 1.
  case integer(Int64)
  /// A text.
  case text(String)
  /// Arbitrary bytes.
  case bytes([UInt8])
}

/// A type that can be an argument of a statement.
protocol SQLConvertible {
  var sqlValue: SQLValue { get }
}

extension Int64: SQLConvertible { var sqlValue: SQLValue { .integer(self) } }
extension Int: SQLConvertible { var sqlValue: SQLValue { .integer(Int64(self)) } }
extension Bool: SQLConvertible { var sqlValue: SQLValue { .integer(self ? 1 : 0) } }
extension String: SQLConvertible { var sqlValue: SQLValue { .text(self) } }
extension [UInt8]: SQLConvertible { var sqlValue: SQLValue { .bytes(self) } }
