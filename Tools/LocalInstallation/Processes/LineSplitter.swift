/// Splits a stream of bytes into lines.
package struct LineSplitter {
  /// The maximum size of a line, in bytes. The splitter returns a longer line in pieces of this
  /// size.
  package static let longestLine = 65_536

  private var rest: [UInt8] = []

  package init() {}

  /// Adds bytes, and returns the lines that these bytes complete, without line ends.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(line())
      } else {
        rest.append(byte)
        if rest.count == Self.longestLine { lines.append(line()) }
      }
    }
    return lines
  }

  /// Returns the last line if the line has no line end; otherwise `nil`. Call this method after the
  /// end of the stream.
  package mutating func finish() -> String? {
    rest.isEmpty ? nil : line()
  }

  private mutating func line() -> String {
    defer { rest.removeAll(keepingCapacity: true) }
    return String(decoding: rest, as: UTF8.self)
  }
}
