internal import Output

/// Runs the steps of the demo one after the other. Prints each step when it ends, and counts the
/// results.
final class DemoRunner {
  private let print: @Sendable (DemoStepResult) -> Void
  private let giveUp: @Sendable () -> Void
  private(set) var steps: [DemoStepResult] = []

  /// - Parameters:
  ///   - print: Called with each step when it ends.
  ///   - giveUp: Called after a step times out. The demo cannot cancel the step, so the demo exits.
  init(
    print: @escaping @Sendable (DemoStepResult) -> Void, giveUp: @escaping @Sendable () -> Void = {}
  ) {
    self.print = print
    self.giveUp = giveUp
  }

  /// Runs a step, and returns a result that later steps need.
  ///
  /// The method repeats a step that may fail by chance, up to the number of tries of the step's
  /// kind. The detail of a repeated step contains the number of tries.
  ///
  /// - Parameter work: Returns a result for later steps, and the measurements.
  /// - Throws: ``CommandFailure`` if the step failed. The method has then already reported the
  ///   failure.
  func require<Result>(
    _ kind: DemoStepResult.Step, within limit: Duration? = nil,
    _ work: () async throws -> (Result, OutputRecord)
  ) async throws(CommandFailure) -> Result {
    let start = ContinuousClock.now
    let limit = limit ?? kind.limit
    let (print, giveUp) = (print, giveUp)
    async let _: Void = Self.watch(kind, for: limit, print, giveUp)
    var tries = 0
    while true {
      tries += 1
      do {
        var (result, detail) = try await work()
        if tries > 1 { detail["tries"] = JSONValue(tries) }
        add(kind, .passed, since: start, detail)
        return result
      } catch {
        let failure = CommandFailure(error)
        // The next try may take as long as all previous tries together. So the next try starts only
        // in the first half of the time limit.
        if tries < kind.tries, ContinuousClock.now - start < limit / 2 { continue }
        var detail: OutputRecord = ["error": .text("\(failure)")]
        if tries > 1 { detail["tries"] = JSONValue(tries) }
        add(kind, .failed, since: start, detail)
        throw failure
      }
    }
  }

  /// Runs a step; the demo continues even if the step fails.
  func check(_ kind: DemoStepResult.Step, _ work: () async throws -> OutputRecord) async {
    do {
      try await require(kind) { ((), try await work()) }
    } catch {
      // The report already contains the failed step. The demo continues, because the results of the
      // next steps may help to find the cause.
    }
  }

  /// Records that the demo skipped a step.
  func skip(_ kind: DemoStepResult.Step, because reason: String) {
    add(kind, .skipped, since: .now, ["reason": .text(reason)])
  }

  var failed: Int { steps.count { $0.outcome == .failed } }

  /// The last line of `--output json`.
  var summary: OutputRecord {
    [
      "step": "summary", "ok": .bool(failed == 0), "steps": JSONValue(steps.count),
      "failed": JSONValue(failed),
    ]
  }

  private func add(
    _ kind: DemoStepResult.Step, _ outcome: DemoStepResult.Outcome,
    since start: ContinuousClock.Instant,
    _ detail: OutputRecord
  ) {
    let step = DemoStepResult(
      kind: kind, outcome: outcome, milliseconds: (ContinuousClock.now - start).milliseconds,
      detail: detail)
    steps.append(step)
    print(step)
  }

  /// Reports a step as failed when it times out, and ends the demo.
  private static func watch(
    _ kind: DemoStepResult.Step, for limit: Duration, _ print: @Sendable (DemoStepResult) -> Void,
    _ giveUp: @Sendable () -> Void
  ) async {
    do { try await Task.sleep(for: limit) } catch { return }
    let failure = CommandFailure(
      code: "DEADLINE_EXCEEDED",
      message: "This step did not end within \(limit): the demo stops here. "
        + "Read the last lines of the services' log, or run the demo again with --verbose.")
    print(
      DemoStepResult(
        kind: kind, outcome: .failed, milliseconds: limit.milliseconds,
        detail: ["error": .text("\(failure)")]))
    giveUp()
  }
}
