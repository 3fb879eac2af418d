internal import Output

/// The result of one step of the demo.
struct DemoStepResult: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case passed
    case failed
    /// The demo skipped the step, because the demo does not own the processes or lacks a
    /// requirement of the step.
    case skipped
  }

  let kind: Step
  let outcome: Outcome
  let milliseconds: Int
  /// The measurements, or the error.
  let detail: OutputRecord

  /// The line of `--output json`.
  var record: OutputRecord {
    var record: OutputRecord = [
      "step": .text(kind.rawValue), "ok": .bool(outcome != .failed), "ms": JSONValue(milliseconds),
      "about": .text(kind.about),
    ]
    if outcome == .skipped { record["skipped"] = true }
    record["detail"] = .object(detail)
    return record
  }

  /// Returns the lines for a person: first the description, and then the measurements or the error.
  func text(_ paint: TerminalColors) -> String {
    let mark =
      switch outcome {
      case .passed: paint("ok", .green) + "     "
      case .failed: paint("FAILED", .red) + " "
      case .skipped: paint("skipped", .yellow)
      }
    let name = kind.rawValue.padding(to: 22)
    let time = String("\(milliseconds) ms".padding(to: 10, atStart: true))
    let facts = detail.fields.map { field in
      if case .object(let parts) = field.value {
        "\(field.name)(\(JSONValue.object(parts).text))"
      } else {
        "\(field.name)=\(field.value.text)"
      }
    }
    let line = "\(mark) \(name) \(time)  \(kind.about)"
    return facts.isEmpty ? line : "\(line)\n        \(facts.joined(separator: " "))"
  }
}

extension String {
  /// Returns the text padded with spaces at its end or start to a width.
  fileprivate func padding(to width: Int, atStart: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return atStart ? spaces + self : self + spaces
  }
}
