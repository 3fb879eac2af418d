import MeetingModel

/// What is wrong with one entry of an engine's report.
struct ResultFault: Error, Hashable {
  let reason: DroppedResult

  /// The rule that is broken, for the log. It has nothing of what was said.
  let cause: String

  /// The reason says everything.
  init(_ reason: DroppedResult) {
    self.reason = reason
    cause = reason.rawValue
  }

  init(_ reason: DroppedResult, _ error: ModelError) {
    self.reason = reason
    cause = error.status.message
  }

  /// - Parameters:
  ///   - what: The field.
  ///   - rule: What the field must be.
  init(_ reason: DroppedResult, _ what: String, _ rule: String) {
    self.init(reason, .invalidValue(what: what, rule: rule))
  }
}
