public import MeetingModel

/// Why any owner refuses.
public enum OwnershipError: StatusConvertible, Hashable {
  /// The request names another term of this owner than the present one.
  case staleTerm(UInt64, current: UInt64)
  /// The meeting belongs to another instance.
  case notOwner
  /// The owner stood still for so long that another one may have taken over.
  case leaseLapsed

  public var status: Status {
    switch self {
    case .staleTerm(let term, let current):
      Status(
        .aborted, "Term \(term) is not the present one, \(current); look the owner up again.",
        reason: .staleTerm)
    case .notOwner:
      Status(
        .aborted, "The meeting belongs to another instance; look the owner up again.",
        reason: .notOwner)
    case .leaseLapsed:
      Status(
        .aborted, "This instance stood still for too long to be the owner for sure; try again.",
        reason: .staleTerm)
    }
  }
}
