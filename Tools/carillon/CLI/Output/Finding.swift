internal import Output

/// The result of one check.
struct Finding: Hashable, Sendable {
  /// The kind of a check.
  ///
  /// The names of the kinds are part of the command line's interface.
  enum Check: String, Hashable, Sendable {
    case runtimeDirectory = "runtime-directory"
    case service, endpoint, socket, readiness, version
    case dataDirectory = "data-directory"
    case store
    case tokenKey = "token-key"
    case browsers
    case engines
    case roundTrip = "round-trip"
    case variable
  }

  enum Outcome: Hashable, Sendable {
    /// The check passed. The text is the result.
    case ok(String)
    /// The check failed. The text contains the fault and its remedy.
    case failed(String, remedy: String)
    /// The check could not run because of another finding.
    case skipped(String)
  }

  let check: Check
  /// The subject of the check, such as a path or an instance.
  let subject: String
  let outcome: Outcome

  init(_ check: Check, _ subject: String, _ outcome: Outcome) {
    self.check = check
    self.subject = subject
    self.outcome = outcome
  }

  var isOK: Bool { if case .ok = outcome { true } else { false } }
  var isFailed: Bool { if case .failed = outcome { true } else { false } }

  /// The line of `--output json`.
  var record: OutputRecord {
    var record: OutputRecord = [
      "check": .text(check.rawValue), "subject": .text(subject), "ok": .bool(!isFailed),
    ]
    switch outcome {
    case .ok(let message): record["message"] = .text(message)
    case .failed(let message, let remedy):
      record["message"] = .text(message)
      record["remedy"] = .text(remedy)
    case .skipped(let message):
      record["skipped"] = true
      record["message"] = .text(message)
    }
    return record
  }

  /// Returns the lines for a person: first the fault, and then the remedy.
  func text(_ paint: TerminalColors) -> String {
    let (mark, message): (String, String) =
      switch outcome {
      case .ok(let message): (paint("ok", .green) + "     ", message)
      case .failed(let message, let remedy):
        (paint("FAILED", .red) + " ", "\(message)\n        to do: \(remedy)")
      case .skipped(let message): (paint("skipped", .yellow), message)
      }
    let gap = String(repeating: " ", count: max(0, 17 - check.rawValue.count))
    return "\(mark) \(check.rawValue)\(gap) \(subject): \(message)"
  }
}
