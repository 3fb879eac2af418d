public import MeetingModel

/// Why any owner refuses.
public enum OwnershipError: StatusConvertible, Hashable {
  /// The request names another term of this owner than the present one.
  case staleTerm(UInt64, current: UInt64)

  public var status: Status {
    switch self {
    case .staleTerm(let term, let current):
      Status(
        .aborted, "Term \(term) is not the present one, \(current); look the owner up again.",
        reason: .staleTerm)
    }
  }
}
