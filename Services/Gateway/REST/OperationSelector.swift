/// The value that the query's `operation` parameter must have to select an operation.
enum OperationSelector: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The query must not have the parameter.
  case absent

  /// The parameter has this value.
  case value(String)

  /// The parameter is ignored.
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
