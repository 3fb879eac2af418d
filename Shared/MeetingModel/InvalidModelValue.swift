/// A value that breaks the rules of its type.
public enum InvalidModelValue: StatusConvertible, Hashable {
  /// One value is invalid.
  ///
  /// `rule` completes the sentence "it must be …".
  case invalidValue(what: String, rule: String)

  /// The combination of values is invalid in every meeting, or only in this meeting.
  ///
  /// `rule` is a whole sentence.
  case forbiddenCombination(rule: String)

  /// The status `invalidArgument`, with the broken rule.
  public var status: Status {
    switch self {
    case .invalidValue(let what, let rule):
      Status(.invalidArgument, "Not a valid \(what): it must be \(rule).", reason: .malformed)
    case .forbiddenCombination(let rule):
      Status(.invalidArgument, rule)
    }
  }
}
