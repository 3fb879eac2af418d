import Testing

@testable import Output

@Suite struct OutputRecordTests {
  @Test func `a record is shown as aligned lines, and several records as a table`() {
    let ada: OutputRecord = ["id": "a-1", "is_muted": true, "note": ""]
    let grace: OutputRecord = ["id": "a-12", "is_muted": false, "note": "late"]
    #expect(ada.text == "id        a-1\nis_muted  yes\nnote      -")
    #expect(
      OutputRecord.table([ada, grace]) == """
        id    is_muted  note
        a-1   yes       -
        a-12  no        late
        """)
    #expect(OutputRecord.table([]) == "")
  }

  @Test func `a table of records with different fields has a column for each field`() {
    let down: OutputRecord = ["id": "media-a", "reason": "no answer", "url": "none"]
    let ready: OutputRecord = ["id": "media-b", "url": "ipc"]
    let lines = [
      "id       reason     url", "media-a  no answer  none", "media-b  -          ipc",
    ]
    #expect(OutputRecord.table([down, ready]) == lines.joined(separator: "\n"))
    let first = "media-b  -          ipc"
    #expect(OutputRecord.table([ready, down]).split(separator: "\n")[1] == first)
  }

  @Test(
    arguments: [
      ("plain", "\"plain\""), ("a\"b\\c", #""a\"b\\c""#), ("line\nbreak\t", #""line\nbreak\t""#),
      ("\u{01}\u{7F}\u{2028}", #""\u0001\u007f\u2028""#), ("naïve 🎈", "\"naïve 🎈\""),
    ])
  func `a JSON text never contains a line break`(text: String, json: String) {
    #expect(JSONValue.text(text).json == json)
  }

  @Test func `lists and objects can be nested`() {
    let value: JSONValue = .list([.null, 1, true, .object(["a": .list([])])])
    #expect(value.json == #"[null, 1, true, {"a": []}]"#)
  }

  @Test func `a replaced field keeps its position, and nil removes a field`() {
    var record: OutputRecord = ["a": 1, "b": 2]
    record["a"] = 3
    record["c"] = 4
    record["b"] = nil
    #expect(record.json == #"{"a": 3, "c": 4}"#)
  }

  @Test func `text with control characters stays within its line or table cell`() {
    let record: OutputRecord = ["name": "ada\nb-2\t\u{1B}[2J", "id": "a-1"]
    #expect(record.text == #"name  ada\nb-2\t\u{1b}[2J"# + "\nid    a-1")
    #expect(
      OutputRecord.table([record]) == "name" + String(repeating: " ", count: 17) + "id\n"
        + #"ada\nb-2\t\u{1b}[2J  a-1"#)
    #expect(record.json == #"{"name": "ada\nb-2\t\u001b[2J", "id": "a-1"}"#)
  }
}
