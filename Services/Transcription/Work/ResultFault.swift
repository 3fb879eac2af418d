import MeetingModel

/// The fault of one entry of an engine's report.
struct ResultFault: Error, Hashable {
  let reason: DroppedResult

  /// The violated rule, for the log. It contains no spoken words.
  let cause: String

  /// Creates a fault with no details other than its reason.
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
  ///   - rule: The rule for the field.
  init(_ reason: DroppedResult, _ what: String, _ rule: String) {
    self.init(reason, .invalidValue(what: what, rule: rule))
  }
}
