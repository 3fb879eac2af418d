public import MeetingModel

/// The reasons why an owner rejects a request.
public enum OwnershipError: StatusConvertible, Hashable {
  /// The request names a term other than the current term.
  case staleTerm(UInt64, current: UInt64)
  /// The meeting belongs to another instance.
  case notOwner
  /// The owner stalled for so long that another instance may have taken over.
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
