internal import Output

/// Runs the steps of the demo one after the other, prints each as it ends, and counts.
final class DemoReport {
  private let print: @Sendable (DemoStep) -> Void
  private let giveUp: @Sendable () -> Void
  private(set) var steps: [DemoStep] = []

  /// - Parameters:
  ///   - print: Called with each step as it ends.
  ///   - giveUp: Called behind a step that hangs: it cannot be called back, so the demo has to end.
  init(
    print: @escaping @Sendable (DemoStep) -> Void, giveUp: @escaping @Sendable () -> Void = {}
  ) {
    self.print = print
    self.giveUp = giveUp
  }

  /// Runs a step that others need.
  ///
  /// What may fail by chance is tried again, as often as the step's kind says; the detail then
  /// counts the tries.
  ///
  /// - Parameter work: Returns what it made and what it measured.
  /// - Throws: ``CommandFailure`` when it failed, which is reported already.
  func require<Result>(
    _ kind: DemoStep.Kind, within limit: Duration? = nil,
    _ work: () async throws -> (Result, Record)
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
        // Half of the time is left for one that takes as long as all before.
        if tries < kind.tries, ContinuousClock.now - start < limit / 2 { continue }
        var detail: Record = ["error": .text("\(failure)")]
        if tries > 1 { detail["tries"] = JSONValue(tries) }
        add(kind, .failed, since: start, detail)
        throw failure
      }
    }
  }

  /// Runs a step; the demo goes on whatever comes of it.
  func check(_ kind: DemoStep.Kind, _ work: () async throws -> Record) async {
    do {
      try await require(kind) { ((), try await work()) }
    } catch {
      // Reported as a failed step; the others tell more.
    }
  }

  /// Leaves a step out.
  func skip(_ kind: DemoStep.Kind, because reason: String) {
    add(kind, .skipped, since: .now, ["reason": .text(reason)])
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
    _ kind: DemoStep.Kind, _ outcome: DemoStep.Outcome, since start: ContinuousClock.Instant,
    _ detail: Record
  ) {
    let step = DemoStep(
      kind: kind, outcome: outcome, milliseconds: (ContinuousClock.now - start).milliseconds,
      detail: detail)
    steps.append(step)
    print(step)
  }

  /// Reports a step as hanging when it has not ended in time.
  private static func watch(
    _ kind: DemoStep.Kind, for limit: Duration, _ print: @Sendable (DemoStep) -> Void,
    _ giveUp: @Sendable () -> Void
  ) async {
    do { try await Task.sleep(for: limit) } catch { return }
    let failure = CommandFailure(
      code: "DEADLINE_EXCEEDED",
      message: "This step did not end within \(limit): something hangs, and the demo stops here. "
        + "Look for the last lines in the services' log, or run it again with --verbose.")
    print(
      DemoStep(
        kind: kind, outcome: .failed, milliseconds: limit.milliseconds,
        detail: ["error": .text("\(failure)")]))
    giveUp()
  }
}
