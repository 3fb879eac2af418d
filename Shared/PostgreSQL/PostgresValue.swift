/// A value of a column or of an argument.
public enum PostgresValue: Hashable, Sendable {
  /// SQL's NULL.
  case null

  /// A `bigint`, `integer`, `smallint`, or a `boolean` as 0 or 1.
  case integer(Int64)

  /// A `text`. A text with U+0000 fits only into columns of type `bytea`.
  case text(String)

  /// A `bytea`.
  case bytes([UInt8])
}

/// The result of a statement.
public struct PostgresResult: Sendable {
  /// The names of the columns.
  public let columns: [String]

  /// The rows, with a value for each column.
  public let rows: [[PostgresValue]]

  /// The number of rows that the statement inserted, updated, deleted or returned.
  public let count: Int
}

/// The object ids (`pg_type.dat`) of the types that this module reads and writes.
enum PostgresType {
  static let boolean: UInt32 = 16
  static let bytea: UInt32 = 17
  static let bigint: UInt32 = 20
  static let smallint: UInt32 = 21
  static let integer: UInt32 = 23
  static let text: UInt32 = 25
  static let name: UInt32 = 19
  static let varchar: UInt32 = 1043

  /// Encodes a value in the server's binary format; `nil` for NULL.
  static func encoded(_ value: PostgresValue, as type: UInt32) throws(PostgresError) -> [UInt8]? {
    switch (value, type) {
    case (.null, _): return nil
    case (.integer(let number), bigint): return bigEndian(number)
    case (.integer(let number), integer):
      return bigEndian(Int32(clamping: number))
    case (.integer(let number), smallint):
      return bigEndian(Int16(clamping: number))
    case (.integer(let number), boolean): return [number == 0 ? 0 : 1]
    case (.text(let text), self.text), (.text(let text), varchar), (.text(let text), name),
      (.text(let text), bytea):
      return Array(text.utf8)
    case (.bytes(let bytes), bytea): return bytes
    default: throw PostgresError(.type, "An argument does not fit the type \(type).")
    }
  }

  /// Decodes a value from the server's binary format.
  static func decoded(_ bytes: [UInt8], of type: UInt32) throws(PostgresError) -> PostgresValue {
    switch type {
    case bigint, integer, smallint:
      // The code extends the sign of the number, whose most significant byte is first.
      let sign: Int64 = (bytes.first ?? 0) >= 0x80 ? -1 : 0
      return .integer(bytes.reduce(sign) { $0 << 8 | Int64($1) })
    case boolean: return .integer(bytes.first == 1 ? 1 : 0)
    case text, varchar, name: return .text(String(decoding: bytes, as: UTF8.self))
    case bytea: return .bytes(bytes)
    default: throw PostgresError(.type, "A column has the type \(type), which is not read here.")
    }
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
  }
}
