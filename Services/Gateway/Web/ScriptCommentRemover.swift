/// Removes comments from JavaScript, so that browsers load fewer bytes.
///
/// A third of the page's compressed bytes are comments. The type removes a comment only if the
/// comment's lines contain nothing else. It keeps the line breaks, so the line numbers in a
/// browser's stack traces are the line numbers of the source. The type keeps comments that begin
/// with `/*!`, because they contain licenses.
enum ScriptCommentRemover {
  /// Returns the text without comments.
  ///
  /// Returns the text unchanged in two cases. First, the text ends inside a string, a template, a
  /// regular expression or a comment: the text is not JavaScript, or this type misread it. Second,
  /// a line ends with a terminator other than LF and CR LF.
  static func removed(from text: [UInt8]) -> [UInt8] {
    guard !hasOtherLineTerminators(text) else { return text }
    var scanner = JavaScriptScanner(text: text)
    return scanner.scan() ? scanner.kept : text
  }

  /// Returns whether the text contains CR without LF, U+2028 or U+2029. These characters also end a
  /// line comment (ECMA-262, §12.3).
  private static func hasOtherLineTerminators(_ text: [UInt8]) -> Bool {
    for (index, byte) in text.enumerated() where byte == 0x0d || byte == 0xe2 {
      let next = text[(index + 1)...].prefix(2)
      if byte == 0x0d, next.first != 0x0a { return true }
      if byte == 0xe2, next.elementsEqual([0x80, 0xa8]) || next.elementsEqual([0x80, 0xa9]) {
        return true
      }
    }
    return false
  }
}

/// Reads JavaScript token by token. It distinguishes only comments, strings, templates, regular
/// expressions and code (ECMA-262, §12).
private struct JavaScriptScanner {
  let text: [UInt8]
  var kept: [UInt8] = []

  private var at = 0

  /// The index after the last token that is not a comment.
  private var tokenEnd = 0

  /// The number of open braces in each `${` of a template, from the outermost to the innermost.
  private var braces: [Int] = []

  init(text: [UInt8]) {
    self.text = text
    kept.reserveCapacity(text.count)
  }

  /// Reads all text. Returns false if the text ends inside a token.
  mutating func scan() -> Bool {
    while at < text.count {
      guard step() else { return false }
    }
    return braces.isEmpty
  }

  private mutating func step() -> Bool {
    switch text[at] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return token(keepString())
    case UInt8(ascii: "`"):
      keep(1)
      return token(keepTemplate())
    case UInt8(ascii: "{"): return token(open())
    case UInt8(ascii: "}"): return token(close())
    case UInt8(ascii: "/"): return slash()
    case UInt8(ascii: " "), 0x09, 0x0a, 0x0d:
      keep(1)
      return true
    default:
      keep(1)
      return token(true)
    }
  }

  private mutating func token(_ isComplete: Bool) -> Bool {
    tokenEnd = at
    return isComplete
  }

  private mutating func keep(_ count: Int) {
    let end = min(at + count, text.count)
    kept += text[at..<end]
    at = end
  }

  private func byte(_ offset: Int) -> UInt8? {
    at + offset < text.count ? text[at + offset] : nil
  }

  // MARK: Strings and templates

  private mutating func keepString() -> Bool {
    let quote = text[at]
    keep(1)
    while let next = byte(0), next != 0x0a {
      keep(next == UInt8(ascii: "\\") ? 2 : 1)
      if next == quote { return true }
    }
    return false
  }

  /// Keeps a template up to its end or its next `${`.
  private mutating func keepTemplate() -> Bool {
    while let next = byte(0) {
      let isSubstitution = next == UInt8(ascii: "$") && byte(1) == UInt8(ascii: "{")
      keep(isSubstitution || next == UInt8(ascii: "\\") ? 2 : 1)
      if isSubstitution { braces.append(0) }
      if isSubstitution || next == UInt8(ascii: "`") { return true }
    }
    return false
  }

  private mutating func open() -> Bool {
    if let last = braces.indices.last { braces[last] += 1 }
    keep(1)
    return true
  }

  private mutating func close() -> Bool {
    keep(1)
    guard let last = braces.indices.last else { return true }
    braces[last] -= 1
    guard braces[last] < 0 else { return true }
    braces.removeLast()
    return keepTemplate()
  }

  // MARK: Comments and regular expressions

  private mutating func slash() -> Bool {
    switch byte(1) {
    case UInt8(ascii: "/"): return lineComment()
    case UInt8(ascii: "*"): return blockComment()
    default:
      guard beginsExpression else {
        keep(1)
        return token(true)
      }
      return token(keepRegularExpression())
    }
  }

  private mutating func lineComment() -> Bool {
    let end = text[at...].firstIndex(of: 0x0a) ?? text.count
    pass(to: end)
    return true
  }

  private mutating func blockComment() -> Bool {
    var end = at + 4
    while end <= text.count,
      text[end - 2] != UInt8(ascii: "*") || text[end - 1] != UInt8(ascii: "/")
    {
      end += 1
    }
    guard end <= text.count else { return false }
    pass(to: end)
    return true
  }

  /// Removes a comment if its lines contain nothing else; otherwise keeps it.
  private mutating func pass(to end: Int) {
    let isLicense = byte(2) == UInt8(ascii: "!")
    let lineEnd = text[end...].firstIndex { $0 != UInt8(ascii: " ") && $0 != 0x09 } ?? text.count
    let isLast = lineEnd == text.count || text[lineEnd] == 0x0a || text[lineEnd] == 0x0d
    let lineStart = kept.lastIndex { $0 != UInt8(ascii: " ") && $0 != 0x09 }
    let isFirst = lineStart.map { kept[$0] == 0x0a } ?? true
    guard isFirst, isLast, !isLicense else { return keep(end - at) }
    kept.removeLast(kept.count - (lineStart.map { $0 + 1 } ?? 0))
    kept += text[at..<end].filter { $0 == 0x0a }
    at = end
  }

  /// Keeps a regular expression up to its second slash. The scanner then reads the flags as an
  /// identifier.
  private mutating func keepRegularExpression() -> Bool {
    var isInClass = false
    keep(1)
    while let next = byte(0), next != 0x0a {
      keep(next == UInt8(ascii: "\\") ? 2 : 1)
      if next == UInt8(ascii: "[") { isInClass = true }
      if next == UInt8(ascii: "]") { isInClass = false }
      if next == UInt8(ascii: "/"), !isInClass { return true }
    }
    return false
  }

  /// The words after which `/` begins a regular expression. After any other word, `/` is the
  /// division operator.
  private static let operators: Set = [
    "await", "case", "delete", "do", "else", "in", "instanceof", "new", "of", "return", "throw",
    "typeof", "void", "yield",
  ]

  /// Whether an expression can begin here, according to the previous token.
  ///
  /// After `)` and `}`, only a full parser could decide, and `/` is nearly always the division
  /// operator. So this property assumes a division. If a regular expression begins after `)` or
  /// `}`, this type reads the expression as code.
  private var beginsExpression: Bool {
    guard let last = text[..<tokenEnd].last else { return true }
    if [")", "]", "}", "\"", "'", "`"].contains(Character(Unicode.Scalar(last))) { return false }
    let word = text[..<tokenEnd].suffix(while: isPartOfWord)
    return word.isEmpty || Self.operators.contains(String(decoding: word, as: UTF8.self))
  }

  private func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the longest suffix in which every byte meets a condition.
  fileprivate func suffix(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex
    return self[start...]
  }
}
