import Testing

@testable import Gateway

@Suite struct JSONParserTests {
  @Test(arguments: [
    ("{}", JSONValue.object([:])),
    (" [ ] ", .array([])),
    (
      "\t{\"a\" : 1 ,\r\n\"b\":[true,false,null]}",
      .object([
        "a": .integer(1), "b": .array([.bool(true), .bool(false), .null]),
      ])
    ),
    ("0", .integer(0)), ("-7", .integer(-7)), ("1.0", .number("1.0")), ("1e2", .number("1e2")),
    ("-0.5E-3", .number("-0.5E-3")),
    ("9223372036854775807", .integer(.max)),
    ("9223372036854775808", .number("9223372036854775808")),
    (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{C}\n\r\t")),
    (#""\u00e9\uD83D\uDE00é""#, .string("é😀é")),
    ("\"\"", .string("")),
  ])
  func `valid JSON is parsed`(text: String, value: JSONValue) throws {
    #expect(try JSONParser.parse(Array(text.utf8)) == value)
  }

  @Test(arguments: [
    "", " ", "{", "[", "]", "{]", "nul", "True", "{}{}", "{} x", "[1,]", "[,1]", "{\"a\":1,}",
    "{\"a\"}", "{a:1}", "{'a':1}", "{\"a\":1 \"b\":2}", "{\"a\":1,\"a\":2}", "01", "+1", ".5", "1.",
    "1e", "-", "0x10", "NaN", "Infinity", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"a\nb\"",
    "\"\\", "\"\\uD800\"", "\"\\uD800x\"", "\"\\uD800\\n\"", "\"\\uD800\\u0041\"", "\"\\uDC00\"",
    "\"\\u0000\"", "\u{FEFF}{}", "// {}", "<xml/>",
  ])
  func `invalid JSON is refused`(text: String) {
    #expect(throws: JSONError.self) { try JSONParser.parse(Array(text.utf8)) }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22],
      [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0x00, 0x22], [0x00], [0xFF], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try JSONParser.parse(bytes) }
  }

  @Test func `JSON of a hundred nested levels is parsed, and more levels are refused`()
    throws
  {
    func nested(_ levels: Int) -> [UInt8] {
      Array(String(repeating: "[", count: levels).utf8)
        + Array(String(repeating: "]", count: levels).utf8)
    }
    _ = try JSONParser.parse(nested(100))
    #expect(throws: JSONError.self) { try JSONParser.parse(nested(101)) }
    #expect(throws: JSONError.self) { try JSONParser.parse(nested(200_000)) }
    let open = Array(String(repeating: "{\"a\":", count: 200_000).utf8)
    #expect(throws: JSONError.self) { try JSONParser.parse(open) }
    // The limit applies to the levels that are open at the same time. Closed levels do not count.
    _ = try JSONParser.parse(Array("[\(String(repeating: "[[]],", count: 500))1]".utf8))
  }

  @Test func `every truncation of a document is refused`() throws {
    let document = Array(#"{"a":[1,-2.5e3,"\u00e9\\x",true,null],"b":{"c":""}}"#.utf8)
    _ = try JSONParser.parse(document)
    for count in document.indices {
      #expect(throws: JSONError.self) { try JSONParser.parse(Array(document[..<count])) }
    }
  }

  @Test func `equal values have the same text, and parsing the text gives the same value`() throws {
    let one = try JSONParser.parse(Array(#"{"b":[1,"\u0001\"\\é\n"],"a":null}"#.utf8))
    let other = try JSONParser.parse(Array(#" {"a" :null, "b":[1,"\u0001\u0022\\\u00e9\n"]}"#.utf8))
    #expect(one.text == other.text)
    #expect(one.text == #"{"a":null,"b":[1,"\u0001\"\\é\n"]}"#)
    #expect(try JSONParser.parse(Array(one.text.utf8)) == one)
    #expect(one.withoutNulls.text == #"{"b":[1,"\u0001\"\\é\n"]}"#)
  }
}
