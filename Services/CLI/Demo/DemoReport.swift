/// Runs the steps of the demo one after the other, prints each as it ends, and counts.
final class DemoReport {
  private let print: (DemoStep) -> Void
  private(set) var steps: [DemoStep] = []

  init(print: @escaping (DemoStep) -> Void) { self.print = print }

  /// Runs a step that others need.
  ///
  /// - Parameter work: Returns what it made and what it measured.
  /// - Throws: ``CommandFailure`` when it failed, which is reported already.
  func require<Result>(
    _ name: String, _ work: () async throws -> (Result, Record)
  ) async throws(CommandFailure) -> Result {
    let start = ContinuousClock.now
    do {
      let (result, detail) = try await work()
      add(name, .passed, since: start, detail)
      return result
    } catch {
      let failure = CommandFailure(error)
      add(name, .failed, since: start, ["error": .text("\(failure)")])
      throw failure
    }
  }

  /// Runs a step; the demo goes on whatever comes of it.
  func check(_ name: String, _ work: () async throws -> Record) async {
    do {
      try await require(name) { ((), try await work()) }
    } catch {
      // Reported as a failed step; the others tell more.
    }
  }

  /// Leaves a step out.
  func skip(_ name: String, because reason: String) {
    add(name, .skipped, since: .now, ["reason": .text(reason)])
  }

  var failed: Int { steps.count { $0.outcome == .failed } }

  /// The last line of `--output json`.
  var summary: Record {
    [
      "step": "summary", "ok": .bool(failed == 0), "steps": JSONValue(steps.count),
      "failed": JSONValue(failed),
    ]
  }

  private func add(
    _ name: String, _ outcome: DemoStep.Outcome, since start: ContinuousClock.Instant,
    _ detail: Record
  ) {
    let step = DemoStep(
      name: name, outcome: outcome, milliseconds: (ContinuousClock.now - start).milliseconds,
      detail: detail)
    steps.append(step)
    print(step)
  }
}
