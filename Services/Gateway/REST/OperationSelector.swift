/// Which values of the query's `operation` parameter select an operation.
enum OperationSelector: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The query must not have the parameter.
  case absent

  /// The parameter has this value.
  case value(String)

  /// The parameter means nothing here.
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
