import MeetingModel

/// The fault of one entry of an engine's report.
struct ResultFault: Error, Hashable {
  let reason: ResultDropReason

  /// The violated rule, for the log. It contains no spoken words.
  let cause: String

  /// Creates a fault with no details other than its reason.
  init(_ reason: ResultDropReason) {
    self.reason = reason
    cause = reason.rawValue
  }

  init(_ reason: ResultDropReason, _ error: InvalidModelValue) {
    self.reason = reason
    cause = error.status.message
  }

  /// - Parameters:
  ///   - what: The field.
  ///   - rule: The rule for the field.
  init(_ reason: ResultDropReason, _ what: String, _ rule: String) {
    self.init(reason, .invalidValue(what: what, rule: rule))
  }
}
