import Testing

@testable import CLI
@testable import LocalInstallation
@testable import Output

@Suite struct FlagTableTests {
  @Test func `a table of one service has one section and no common section`() {
    let table = FlagTable([("gateway", [.example("listen"), .example("help", value: nil)])])
    #expect(table.sections.map(\.heading) == ["gateway"])
    #expect(table.sections.map { $0.flags.map(\.name) } == [["listen"]])
    #expect(FlagTable([]).sections.isEmpty)
  }

  @Test func `a flag with different defaults is not a common flag`() {
    let table = FlagTable([
      ("one", [.example("limit", default: "1"), .example("same")]),
      ("two", [.example("limit", default: "2"), .example("same")]),
    ])
    #expect(
      table.sections.map { $0.flags.map(\.name) } == [["same"], ["limit"], ["limit"]])
  }

  @Test func `a section without flags is left out of the document`() {
    let table = FlagTable([
      ("one", [.example("same")]), ("two", [.example("same"), .example("own")]),
    ])
    #expect(table.markdown.contains("## Every service\n"))
    #expect(!table.markdown.contains("## one\n"))
    #expect(table.markdown.contains("## two\n"))
  }

  @Test(
    arguments: [
      (.example("limit"), "`--limit <value>`"),
      (.example("limit", value: "limit"), "`--limit <value>`"),
      (.example("limit", value: "count"), "`--limit <count>`"),
      (.example("limit", value: nil), "`--limit`"),
      (.example("limit", value: "a|b"), #"`--limit <a\|b>`"#),
    ] as [(ServiceFlag, String)])
  func `a flag is shown as users write it`(flag: ServiceFlag, usage: String) {
    #expect(FlagTable([("one", [flag])]).markdown.contains("| \(usage) | "))
  }

  @Test func `a flag in JSON has null for missing values`() {
    let table = FlagTable([
      (
        "one",
        [.example("check-configuration", value: nil), .example("level", allowed: ["a", "b"])]
      )
    ])
    #expect(
      table.records.map(\.json) == [
        #"{"section": "one", "flag": "--check-configuration", "variable": null, "value": null, "#
          + #""allowed_values": [], "default": null, "help": "What it does."}"#,
        #"{"section": "one", "flag": "--level", "variable": "CARILLON_LEVEL", "value": "value", "#
          + #""allowed_values": ["a", "b"], "default": null, "help": "What it does."}"#,
      ])
  }

  @Test func `a help text of several lines becomes one table cell`() {
    let table = FlagTable([("one", [.example("a", default: "x\ny", help: "first\nsecond")])])
    #expect(table.markdown.hasSuffix("| `--a <value>` | `CARILLON_A` | `x y` | first second |"))
  }
}
