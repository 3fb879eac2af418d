import Testing

@testable import CLI

@Suite struct DemoReportTests {
  private struct Trouble: Error {}

  @Test func `a step is one line with stable fields`() {
    let passed = DemoStep(
      name: "join", outcome: .passed, milliseconds: 12, detail: ["started": .object(["ada": 3])])
    #expect(
      passed.record.json
        == #"{"step": "join", "ok": true, "ms": 12, "detail": {"started": {"ada": 3}}}"#)
    let skipped = DemoStep(
      name: "gateway-killed", outcome: .skipped, milliseconds: 0, detail: [:])
    #expect(
      skipped.record.json
        == #"{"step": "gateway-killed", "ok": true, "ms": 0, "skipped": true, "detail": {}}"#)
  }

  @Test func `the summary counts failed steps and not skipped ones`() async throws {
    let report = DemoReport { _ in }
    await report.check("one") { [:] }
    await report.check("two") { throw Trouble() }
    report.skip("three", because: "it may")
    await #expect(throws: CommandFailure.self) {
      try await report.require("four") { () async throws -> (Int, Record) in
        throw CommandFailure.unavailable("Nobody is there.")
      }
    }
    #expect(report.failed == 2)
    #expect(report.summary.json == #"{"step": "summary", "ok": false, "steps": 4, "failed": 2}"#)
    #expect(report.steps[3].detail.json == #"{"error": "UNAVAILABLE: Nobody is there."}"#)
  }

  @Test func `a required step hands on what it made`() async throws {
    let report = DemoReport { _ in }
    let made = try await report.require("make") { (42, ["made": 42]) }
    #expect(made == 42)
    #expect(report.summary.json == #"{"step": "summary", "ok": true, "steps": 1, "failed": 0}"#)
  }
}
