/// The condition that the query's `operation` parameter must meet to select an operation.
enum OperationQueryCondition: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The query must not contain the parameter.
  case absent

  /// The parameter must have this value.
  case value(String)

  /// The gateway ignores the parameter.
  case ignored

  init(stringLiteral value: String) { self = .value(value) }

  func takes(_ operation: String?) -> Bool {
    switch self {
    case .absent: operation == nil
    case .value(let value): operation == value
    case .ignored: true
    }
  }
}
