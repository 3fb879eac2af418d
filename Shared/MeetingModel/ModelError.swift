/// A value that breaks the rules of its type.
public enum ModelError: StatusConvertible, Hashable {
  /// One value is wrong in itself. `rule` completes the sentence "a … is …".
  case invalidValue(what: String, rule: String)

  /// Each value is fine, but not together, or not in this meeting. `rule` is a whole sentence.
  case forbiddenCombination(rule: String)

  /// `invalidArgument`, with the rule that was broken.
  public var status: Status {
    switch self {
    case .invalidValue(let what, let rule):
      Status(.invalidArgument, "Not a valid \(what): it must be \(rule).", reason: .malformed)
    case .forbiddenCombination(let rule):
      Status(.invalidArgument, rule)
    }
  }
}
