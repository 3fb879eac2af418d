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
        .aborted, "The owner's term is \(current), not \(term); look the owner up again.",
        reason: .staleTerm)
    case .notOwner:
      Status(
        .aborted, "The meeting belongs to another instance; look the owner up again.",
        reason: .notOwner)
    case .leaseLapsed:
      Status(
        .aborted,
        """
        This instance did not run for a while and may have lost the meeting to another owner; try \
        again.
        """,
        reason: .staleTerm)
    }
  }
}
