import TestSupport
import Testing
import Trials

@testable import Demo
@testable import Output

@Suite struct DemoRunnerTests {
  private struct Trouble: Error {}

  @Test func `a step is printed as one line with stable fields`() {
    let passed = DemoStepResult(
      kind: .join, outcome: .passed, milliseconds: 12, detail: ["started": .object(["ada": 3])])
    #expect(
      passed.record.json
        == #"{"step": "join", "ok": true, "ms": 12, "#
        + #""about": "\#(DemoStepResult.Step.join.about)", "#
        + #""detail": {"started": {"ada": 3}}}"#
    )
    let skipped = DemoStepResult(
      kind: .gatewayKilled, outcome: .skipped, milliseconds: 0, detail: [:])
    #expect(
      skipped.record.json
        == #"{"step": "gateway-killed", "ok": true, "ms": 0, "#
        + #""about": "\#(DemoStepResult.Step.gatewayKilled.about)", "skipped": true, "detail": {}}"#
    )
  }

  @Test func `the summary counts failed steps but no skipped steps`() async throws {
    let report = DemoRunner { _ in }
    await report.check(.join) { [:] }
    await report.check(.rosterAlike) { throw Trouble() }
    report.skip(.muteUnmute, because: "it may")
    await #expect(throws: CommandFailure.self) {
      try await report.require(.createMeeting) { () async throws -> (Int, OutputRecord) in
        throw CommandFailure.unavailable("Nobody is there.")
      }
    }
    #expect(report.failed == 2)
    #expect(report.summary.json == #"{"step": "summary", "ok": false, "steps": 4, "failed": 2}"#)
    #expect(report.steps[3].detail.json == #"{"error": "UNAVAILABLE: Nobody is there."}"#)
  }

  @Test func `a required step returns its result`() async throws {
    let report = DemoRunner { _ in }
    let made = try await report.require(.createMeeting) { (42, ["made": 42]) }
    #expect(made == 42)
    #expect(report.summary.json == #"{"step": "summary", "ok": true, "steps": 1, "failed": 0}"#)
  }

  @Test func `a step that may fail by chance is repeated, and its tries are counted`() async throws
  {
    let report = DemoRunner { _ in }
    var attempts = 0
    await report.check(.voiceFocus) {
      attempts += 1
      if attempts < 3 { throw Trouble() }
      return ["heard": true]
    }
    #expect(report.failed == 0)
    #expect(report.steps[0].detail.json == #"{"heard": true, "tries": 3}"#)
  }

  @Test
  func `a repeatable step fails after its last try, and any other step fails after its first try`()
    async throws
  {
    let report = DemoRunner { _ in }
    var attempts = 0
    await report.check(.voiceFocus) {
      attempts += 1
      throw Trouble()
    }
    #expect(attempts == DemoStepResult.Step.voiceFocus.tries)
    await report.check(.rosterAlike) {
      attempts += 1
      throw Trouble()
    }
    #expect(attempts == DemoStepResult.Step.voiceFocus.tries + 1)
    #expect(report.failed == 2)
  }

  @Test(.timeLimit(.minutes(5)))
  func `if a step hangs, the demo reports the name of the step and exits`()
    async throws
  {
    let printed = AwaitableEntryList<DemoStepResult>()
    let (waits, release) = AsyncStream.makeStream(of: Never.self)
    let report = DemoRunner(print: { printed.append($0) }, giveUp: { release.finish() })
    try await report.require(.join, within: .milliseconds(1)) {
      for await _ in waits {}
      return ((), [:])
    }
    let hung = try #require(printed.entries.first)
    #expect(hung.kind == .join && hung.outcome == .failed)
    #expect(hung.detail.json.contains("did not end within"))
  }

  @Test func `the text of a step shows the description above the measurements`() {
    let step = DemoStepResult(
      kind: .muteIsSilence, outcome: .passed, milliseconds: 7, detail: ["loudness": "0.00"])
    #expect(
      step.text(.plain) == """
        ok      mute-is-silence              7 ms  Ada mutes and speaks; Ben hears nothing.
                loudness=0.00
        """)
  }

  @Test(arguments: DemoStepResult.Step.allCases)
  func `each step describes itself in one short sentence`(kind: DemoStepResult.Step) {
    #expect(kind.about.hasSuffix(".") && kind.about.count <= 80)
  }
}
