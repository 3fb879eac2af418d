import Testing

@testable import CLI
@testable import LocalInstallation
@testable import Output

extension ServiceFlag {
  /// Returns an ordinary flag.
  static func example(
    _ name: String, value: String? = "value", default: String? = nil, allowed: [String] = [],
    help: String = "What it does.", isShown: Bool = true
  ) -> ServiceFlag {
    ServiceFlag(
      name: name, valueName: value, defaultValue: `default`, allowedValues: allowed, help: help,
      isShown: isShown)
  }
}

@Suite struct ServiceFlagTests {
  @Test func `the flags of a service are read from its help`() throws {
    let help = """
      {"command": {"arguments": [
        {"kind": "option", "names": [{"kind": "long", "name": "rest-port"},
         {"kind": "short", "name": "p"}], "valueName": "port", "defaultValue": "8080",
         "abstract": "Where REST is.", "discussion": "Loopback only.", "shouldDisplay": true},
        {"kind": "flag", "names": [{"kind": "long", "name": "secret"}], "shouldDisplay": false},
        {"kind": "positional"}]}, "serializationVersion": 0}
      """
    #expect(
      try ServiceFlag.flags(inHelp: help) == [
        .example(
          "rest-port", value: "port", default: "8080", help: "Where REST is. Loopback only."),
        .example("secret", value: nil, help: "", isShown: false),
      ])
    #expect(throws: (any Error).self) { try ServiceFlag.flags(inHelp: "usage: x") }
  }

  @Test(arguments: [
    ("max-attendees", "CARILLON_MAX_ATTENDEES"), ("help", nil), ("version", nil),
    ("check-configuration", nil),
  ])
  func `every flag that sets a value has a variable`(name: String, variable: String?) {
    #expect(ServiceFlag.example(name).variable == variable)
  }

  @Test func `flags that all services share are documented once`() {
    let level = ServiceFlag.example("log-level", default: "info", allowed: ["debug", "info"])
    let table = FlagTable([
      ("presence", [level, .example("drop-after", default: "5"), .example("help", value: nil)]),
      ("gateway", [level, .example("listen", value: "host"), .example("x", isShown: false)]),
    ])
    #expect(table.sections.map(\.heading) == ["Every service", "presence", "gateway"])
    #expect(
      table.sections.map { $0.flags.map(\.name) } == [["log-level"], ["drop-after"], ["listen"]])
    let lines = table.markdown.split(separator: "\n")
    #expect(
      lines.contains(
        """
        | `--log-level <value>` | `CARILLON_LOG_LEVEL` | `info` | What it does. \
        One of debug, info. |
        """))
    #expect(lines.contains("| `--listen <host>` | `CARILLON_LISTEN` |  | What it does. |"))
    #expect(table.records.map { $0["section"] } == ["Every service", "presence", "gateway"])
  }

  @Test func `a vertical bar in a help text does not end the table cell`() {
    let table = FlagTable([("one", [.example("a", help: "x|y <z>")])])
    #expect(table.markdown.hasSuffix("| `--a <value>` | `CARILLON_A` |  | x\\|y &lt;z> |"))
  }
}
