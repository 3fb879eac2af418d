internal import Output

/// What one check came to.
struct Finding: Hashable, Sendable {
  /// What was looked at. The names are part of the command line's interface.
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
    /// It is as it should be; what was seen.
    case ok(String)
    /// It is not; what is wrong, and what to do about it.
    case failed(String, remedy: String)
    /// It could not be looked at, because of another finding.
    case skipped(String)
  }

  let check: Check
  /// What was checked, such as a path or an instance.
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
  var record: Record {
    var record: Record = [
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

  /// The lines for a person: what to do stands below what is wrong.
  func text(_ paint: Paint) -> String {
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
