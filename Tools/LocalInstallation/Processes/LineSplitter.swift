/// Cuts a stream of bytes into lines.
package struct LineSplitter {
  /// A line that grows longer is handed out in pieces of this many bytes.
  package static let longestLine = 65_536

  private var rest: [UInt8] = []

  package init() {}

  /// The lines that these bytes complete, without their ends.
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

  /// What is left when the stream has ended.
  package mutating func finish() -> String? {
    rest.isEmpty ? nil : line()
  }

  private mutating func line() -> String {
    defer { rest.removeAll(keepingCapacity: true) }
    return String(decoding: rest, as: UTF8.self)
  }
}
