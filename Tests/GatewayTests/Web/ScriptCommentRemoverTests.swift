import TestSupport
import Testing

@testable import Gateway

@Suite struct ScriptCommentRemoverTests {
  private func removed(_ text: String) -> String {
    String(decoding: ScriptCommentRemover.removed(from: Array(text.utf8)), as: UTF8.self)
  }

  @Test func `comments are removed, and the other lines keep their numbers`() {
    let text = """
      /**
       * Adds `numbers`, as "sum" does.
       */
      export function add(a, b) {
        // It's plain.
        return a + b;
      \t/* One line. */
      }
      // The end.
      """
    #expect(
      removed(text) == "\n\n\nexport function add(a, b) {\n\n  return a + b;\n\n}\n")
  }

  @Test(arguments: [
    "f(); // behind code", "f(/* inside */ 1);", "/* before */ f();", "f(\n  /* a */ 1,\n);",
    "/*! License: Apache-2.0 */\nf();", "x; /* a\n*/ y;",
  ])
  func `license comments and comments beside code are kept`(text: String) {
    #expect(removed(text) == text)
  }

  @Test(arguments: [
    "const a = `\n// text\n/* text */\n`;", "const a = `${`\n// text\n`}\n// text\n`;",
    "const a = `${{ b: '}' }.b}\n// text\n`;", "const a = \"\\\"\\\n// text\";",
    "const a = /[`'\"/]/.test(b);\nconst c = `\n// text\n`;",
    "const a = b / c; const d = `\n// text\n`;", "const a = (b) / 2 + `\n// text\n`;",
    "return /'/.test(`\n// text\n`);",
  ])
  func `text that looks like a comment is kept`(text: String) {
    #expect(removed(text) == text)
  }

  @Test(arguments: [
    "// a\nconst b = \"", "// a\nconst b = `${c", "// a\nconst b = `c", "// a\n/* b", "// a\n/*/",
    "// a\nconst b = /c", "// a\rb();", "// a\u{2028}b();\n// c", "// a\u{2029}b();\n// c",
  ])
  func `text whose JavaScript lines cannot be determined stays unchanged`(text: String) {
    #expect(removed(text) == text)
  }

  @Test func `comments after regular expressions and divisions are removed`() {
    #expect(removed("const a = /[/\"]/u;\n// b\nc / d;\n// e") == "const a = /[/\"]/u;\n\nc / d;\n")
    #expect(removed("case /'/:\r\n  // a\r\n  b();") == "case /'/:\r\n\n  b();")
  }

  @Test func `removing comments from random text never makes the text longer`() {
    var random = SeededGenerator(seed: 1)
    let bytes = Array("/*`'\"\\${}[]()\n\r a!".utf8)
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        bytes.randomElement(using: &random) ?? 0
      }
      #expect(ScriptCommentRemover.removed(from: text).count <= text.count)
    }
  }
}
