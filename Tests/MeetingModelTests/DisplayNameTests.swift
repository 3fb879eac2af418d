import MeetingModel
import Testing

@Suite struct DisplayNameTests {
  /// Names as people write them, each with the number of characters that a reader counts.
  static let names: [(text: String, characters: Int)] = [
    ("Łukasz", 6), ("花子", 2), ("Zo\u{EB}", 3), ("O'Neil", 6), ("José María Núñez-Ávila", 22),
    ("Nguyễn Thị Minh Khai", 20), ("Дмитрий Иванович", 16), ("Γεωργία", 7), ("שָׁלוֹם", 4),
    ("محمد عبد الله", 13), ("प्रिया", 2), ("สมชาย", 5), ("김철수", 3), ("Ǯ", 1), ("花", 1),
    ("D’Angelo (he/him)", 17), ("<b>&amp;\"'`$%;?!*^~\\|", 21),
    ("🧑🏽‍🚀 Kim", 5), ("👨‍👩‍👧‍👦", 1), ("🇺🇦", 1),
    ("می‌خواهم", 8), ("Ada\u{200F}", 4),
  ]

  @Test(arguments: names)
  func `names of many languages are accepted and kept unchanged`(text: String, characters: Int)
    throws
  {
    #expect(try DisplayName(text).text == text)
    #expect(try DisplayName(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test(arguments: [
    (String(repeating: "花", count: 64), true), (String(repeating: "花", count: 65), false),
    // Each emoji has 25 bytes and is one character.
    (String(repeating: "👨‍👩‍👧‍👦", count: 10), true),
    (String(repeating: "👨‍👩‍👧‍👦", count: 11), false),
    ("a" + String(repeating: "\u{301}", count: 127), true),
    ("a" + String(repeating: "\u{301}", count: 128), false),
    (String(repeating: "a", count: 1 << 20), false), ("", false),
  ])
  func `a name has at most 64 characters and 256 bytes`(text: String, isValid: Bool) {
    #expect(((try? DisplayName(text)) != nil) == isValid)
  }

  @Test(arguments: [
    "a\u{0}b", "a\nb", "a\tb", "a\rb", "a\u{7F}b", "a\u{85}b", "a\u{9B}1m", "\u{1B}[2J",
    "a\u{2028}b", "a\u{2029}b", "a\u{FFFE}", "a\u{1FFFF}",
  ])
  func `control characters, line breaks and noncharacters are refused`(text: String) {
    #expect((try? DisplayName(text)) == nil)
  }

  @Test(arguments: [
    " ", "\u{A0}", "\u{3000}\u{3000}", "\u{200B}", "\u{200D}", "\u{2060}", "\u{FEFF}",
    "\u{115F}", "\u{3164}", "\u{FE0F}", "\u{301}", "\u{2800}", "\u{2066}\u{2069}", "\u{E0041}",
  ])
  func `a name without visible characters is refused`(text: String) {
    #expect((try? DisplayName(text)) == nil)
  }

  @Test(arguments: [
    ("\u{2067}עדה\u{2069}", true), ("\u{2068}a \u{2066}b\u{2069}\u{2069}", true),
    ("\u{202B}עדה\u{202C}", true), ("\u{202E}ada\u{202C}", true),
    ("\u{202A}a\u{2067}b\u{2069}\u{202C}", true),
    ("\u{202E}ada", false), ("\u{202A}ada", false), ("\u{202B}ada", false), ("\u{202D}ada", false),
    ("\u{2066}ada", false), ("\u{2067}ada", false), ("\u{2068}ada", false), ("ada\u{202C}", false),
    ("ada\u{2069}", false), ("\u{2067}\u{202E}ada\u{2069}", false), ("\u{202E}a\u{2069}", false),
    ("\u{2067}a\u{202C}", false), ("\u{2069}a\u{2067}", false),
    ("\u{2067}\u{2067}a\u{2069}", false),
  ])
  func `a name must close every writing-direction control that it opens`(
    text: String, isValid: Bool
  ) {
    #expect(((try? DisplayName(text)) != nil) == isValid)
  }

  @Test func `a typed name is trimmed and composed`() throws {
    let composing: (String) -> String = { $0.replacing("e\u{308}", with: "\u{EB}") }
    let name = try DisplayName(typed: "\u{3000} Zoe\u{308}\u{A0}\n", composing: composing)
    #expect(name.text.unicodeScalars.elementsEqual("Zo\u{EB}".unicodeScalars))
    #expect((try? DisplayName(typed: " \n ", composing: composing)) == nil)
    #expect((try? DisplayName(typed: "", composing: composing)) == nil)
  }

  @Test func `a text far above the limit is refused before its Unicode normalization`() {
    let text = String(repeating: "a", count: 1 << 20)
    var isComposed = false
    let name = try? DisplayName(typed: text) { text in
      isComposed = true
      return text
    }
    #expect(name == nil && !isComposed)
  }

  @Test func `the error for a refused name states the fault and does not repeat the name`() {
    func message(_ text: String) -> String {
      do throws(InvalidModelValue) {
        return try DisplayName(text).text
      } catch {
        return error.status.message
      }
    }
    #expect(
      message(String(repeating: "x", count: 65))
        == "Not a valid display name: it must be at most 64 characters and 256 bytes.")
    #expect(message(" ").contains("visible character"))
    #expect(message("sneaky\u{0}").contains("control characters"))
    #expect(message("sneaky\u{202E}").contains("bidirectional"))
    #expect(!message("sneaky\u{202E}").contains("sneaky"))
  }

  @Test(arguments: [
    ("Ada", "Ada (2)"), ("花子", "花子 (2)"),
    (String(repeating: "花", count: 64), String(repeating: "花", count: 60) + " (2)"),
    (String(repeating: "👨‍👩‍👧‍👦", count: 10), String(repeating: "👨‍👩‍👧‍👦", count: 10) + " (2)"),
    // Without the closing control character, a browser would reverse the text after the name.
    (
      "\u{2067}" + String(repeating: "ע", count: 62) + "\u{2069}",
      String(repeating: "ע", count: 60) + " (2)"
    ),
  ])
  func `a name is cut to make room for a suffix`(text: String, longer: String) throws {
    #expect(try DisplayName(text).appending(" (2)").text == longer)
  }

  @Test func `a valid name stays valid with any suffix, whatever the name's length`() throws {
    for length in 1...62 {
      let name = try DisplayName("\u{202E}" + String(repeating: "x", count: length) + "\u{202C}")
      for number in [2, 10, 99_999] {
        let longer = try name.appending(" (\(number))")
        #expect(longer.text.hasSuffix(" (\(number))"))
        #expect(longer.text.count <= 64)
      }
    }
  }
}
