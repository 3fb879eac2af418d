import Testing

@testable import CLI

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("界", 2), ("한", 2), ("ｆ", 2), ("🎉", 2),
    ("a界b", 4), ("ﾊ", 1),
  ])
  func `a character takes one cell, or two if it is wide`(text: String, width: Int) {
    #expect(TerminalText.width(of: text) == width)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""), ("", 0, ""),
    ("界界界", 5, "界界…"), ("界界界", 4, "界…"), ("a\u{1B}b", 3, "a?b"), ("a\nb", 3, "a?b"),
    ("abc", -1, ""),
  ])
  func `text is shortened to the given number of cells and ends in an ellipsis`(
    text: String, width: Int, cut: String
  ) {
    #expect(TerminalText.cut(text, to: width) == cut)
  }

  @Test(arguments: ["", "a", "界", "näme-界-🎉", "\u{202E}x", "a\u{200D}b"], 0...12)
  func `fitted text has exactly the given number of cells`(text: String, width: Int) {
    #expect(TerminalText.width(of: TerminalText.fitted(text, to: width)) == width)
  }
}
