internal import ArgumentParser
internal import Foundation
internal import Output

/// Prints each finding immediately, counts the findings, and prints a summary at the end.
final class FindingsReport {
  private let output: OutputOptions
  private let paint: TerminalColors
  private var total = 0
  private var failed = 0

  init(_ output: OutputOptions) {
    self.output = output
    paint = TerminalColors(for: STDOUT_FILENO, environment: ProcessInfo.processInfo.environment)
  }

  func add(_ finding: Finding) {
    total += 1
    if finding.isFailed { failed += 1 }
    switch output.output {
    case .text: Console.out(finding.text(paint))
    case .json: Console.out(finding.record.json)
    }
  }

  /// Prints the summary.
  ///
  /// - Throws: `ExitCode` 1 if anything failed.
  func finish() throws {
    switch output.output {
    case .text: Console.out("\(total) checks, \(failed == 0 ? "all well" : "\(failed) failed")")
    case .json:
      let summary: OutputRecord = [
        "check": "summary", "ok": .bool(failed == 0), "checks": JSONValue(total),
        "failed": JSONValue(failed),
      ]
      Console.out(summary.json)
    }
    if failed > 0 { throw ExitCode(CommandFailure.Exit.failed.rawValue) }
  }
}
