/// A caption text as Unicode scalars. The length of a line is its number of Unicode scalars.
struct CaptionText: Hashable, Sendable {
  let scalars: [Unicode.Scalar]

  /// Joins the words of a text with single spaces.
  ///
  /// White space and control characters, including line breaks, separate words. NUL, which no file
  /// may contain, becomes U+FFFD.
  init(oneLine text: String) {
    let printable = text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
    scalars = Array(printable.split(whereSeparator: Self.isSpace).joined(separator: [" "]))
  }

  var count: Int { scalars.count }

  subscript(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }

  // MARK: Finding

  /// Returns the first occurrence of another text from an index on.
  func range(of other: CaptionText, from start: Int) -> Range<Int>? {
    guard other.count > 0, start + other.count <= count else { return nil }
    let place = (start...count - other.count).first {
      scalars[$0..<$0 + other.count].elementsEqual(other.scalars)
    }
    return place.map { $0..<$0 + other.count }
  }

  // MARK: Wrapping

  /// Splits a part of the text into lines without surrounding spaces.
  ///
  /// A line ends at a space. The type cuts a word that is longer than a line.
  ///
  /// - Parameter room: Returns the maximum number of characters, at least 1, of the line with the
  ///   given number. Numbers start at 0.
  func lines(of part: Range<Int>, room: (Int) -> Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = part.lowerBound
    let end = part.upperBound - scalars[part].reversed().prefix { $0 == " " }.count
    while true {
      start += scalars[start..<max(start, end)].prefix { $0 == " " }.count
      guard start < end else { return lines }
      let line = start..<lineEnd(from: start, to: end, room(lines.count))
      lines.append(line)
      start = line.upperBound
    }
  }

  private func lineEnd(from start: Int, to end: Int, _ room: Int) -> Int {
    guard end - start > room else { return end }
    let space = scalars[start...start + room].lastIndex(of: " ")
    return space.flatMap { $0 > start ? $0 : nil } ?? cut(from: start, at: start + room)
  }

  /// Returns the last index at which to cut a word. Never separates a combining mark from its
  /// letter.
  private func cut(from start: Int, at end: Int) -> Int {
    let place = (start + 1...end).last { !Self.isMark(scalars[$0]) }
    return place ?? end
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
