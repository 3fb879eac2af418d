import Testing

@testable import Storage

@Suite struct PostgresSQLTranslatorTests {
  @Test(arguments: [
    ("SELECT 1", "SELECT 1"), ("a = ? AND b = ?", "a = $1 AND b = $2"),
    ("?1 OR ?2 OR ?1", "$1 OR $2 OR $1"), ("?2, ?", "$2, $3"), ("'?' || ?", "'?' || $1"),
    ("'it''s ?' = ?", "'it''s ?' = $1"), ("", ""),
  ])
  func `placeholders are numbered, and literals stay unchanged`(sql: String, translated: String) {
    #expect(PostgresSQLTranslator.translated(sql) == translated)
  }
}
