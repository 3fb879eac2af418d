/// A value of a column or of an argument, whichever engine keeps it.
enum SQLValue: Hashable, Sendable {
  /// SQL's NULL.
  case null
  /// A whole number; a truth value is 0 or 1.
  case integer(Int64)
  /// A text.
  case text(String)
  /// Bytes of any kind.
  case bytes([UInt8])
}

/// What can be an argument of a statement.
protocol SQLConvertible {
  var sqlValue: SQLValue { get }
}

extension Int64: SQLConvertible { var sqlValue: SQLValue { .integer(self) } }
extension Int: SQLConvertible { var sqlValue: SQLValue { .integer(Int64(self)) } }
extension Bool: SQLConvertible { var sqlValue: SQLValue { .integer(self ? 1 : 0) } }
extension String: SQLConvertible { var sqlValue: SQLValue { .text(self) } }
extension [UInt8]: SQLConvertible { var sqlValue: SQLValue { .bytes(self) } }
