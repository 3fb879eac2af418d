import Testing

@testable import CLI
@testable import Output

@Suite struct FindingsTests {
  @Test(
    arguments: [
      (
        Finding(.service, "presence-a", .ok("lives")),
        #"{"check": "service", "subject": "presence-a", "ok": true, "message": "lives"}"#,
        "ok      service           presence-a: lives"
      ),
      (
        Finding(.engines, "/r", .skipped("no gateway runs")),
        #"{"check": "engines", "subject": "/r", "ok": true, "skipped": true, "#
          + #""message": "no gateway runs"}"#,
        "skipped engines           /r: no gateway runs"
      ),
      (
        Finding(.runtimeDirectory, "/r", .failed("it is gone", remedy: "make it")),
        #"{"check": "runtime-directory", "subject": "/r", "ok": false, "#
          + #""message": "it is gone", "remedy": "make it"}"#,
        "FAILED  runtime-directory /r: it is gone\n        to do: make it"
      ),
    ])
  func `a finding is printed as a line of text and as a JSON object`(
    finding: Finding, json: String, text: String
  ) {
    #expect(finding.record.json == json)
    #expect(finding.text(.plain) == text)
  }

  @Test func `a skipped finding counts neither as a success nor as a failure`() {
    let skipped = Finding(.store, "/s", .skipped("nobody tells"))
    #expect(!skipped.isOK && !skipped.isFailed)
    #expect(Finding(.store, "/s", .ok("")).isOK)
    #expect(Finding(.store, "/s", .failed("", remedy: "")).isFailed)
  }

  @Test func `colours represent outcomes and do not change the alignment`() {
    let finding = Finding(.socket, "/s", .failed("x", remedy: "y"))
    let painted = finding.text(.coloured)
    #expect(painted.hasPrefix("\u{1B}[31mFAILED\u{1B}[0m "))
    #expect(
      Finding(.socket, "/s", .ok("x")).text(.coloured).hasPrefix("\u{1B}[32mok\u{1B}[0m     "))
    #expect(
      Finding(.socket, "/s", .skipped("x")).text(.coloured)
        .hasPrefix("\u{1B}[33mskipped\u{1B}[0m"))
  }

  @Test(
    arguments: [
      (.runtimeDirectory, "runtime-directory"), (.dataDirectory, "data-directory"),
      (.tokenKey, "token-key"), (.roundTrip, "round-trip"), (.readiness, "readiness"),
      (.version, "version"), (.browsers, "browsers"), (.endpoint, "endpoint"),
      (.variable, "variable"),
    ] as [(Finding.Check, String)])
  func `the names of checks stay stable`(check: Finding.Check, name: String) {
    #expect(Finding(check, "", .ok("")).record["check"] == .text(name))
  }
}
