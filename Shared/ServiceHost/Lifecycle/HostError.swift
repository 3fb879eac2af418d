internal import MeetingModel

/// The reason why a process could not start or did not stop cleanly.
public enum HostError: Error, Hashable {
  /// The operator must change a flag, a variable, a file or a directory. The text describes the
  /// change.
  ///
  /// Services throw this error from `makeServices(in:)` for faults that only a start can find, such
  /// as a key file that other users can read. ``lasting(_:)`` converts other errors of
  /// `makeServices(in:)`. The process exits with status 78.
  case configuration(String)
  /// A service returned without a request to stop. The process exits with status 70.
  case serviceEnded(name: String)
  /// The services had not stopped at the drain deadline, so the host cancelled them. The process
  /// exits with status 70.
  case drainTimedOut(after: Duration)
}

extension HostError {
  /// Returns the configuration error of a failed start, if a later start would fail in the same
  /// way. The causes are wrong values, a state that the operator must repair first, and damaged
  /// data.
  ///
  /// - Parameter error: The error of `makeServices(in:)`.
  /// - Returns: The error; `nil` for a failure that may be temporary, such as a store that does not
  ///   answer.
  static func lasting(_ error: any Error) -> HostError? {
    if let error = error as? HostError { return error }
    guard let code = (error as? any StatusConvertible)?.status.code else { return nil }
    switch code {
    case .invalidArgument, .failedPrecondition, .outOfRange, .unimplemented, .dataLoss,
      .permissionDenied:
      return .configuration("\(error)")
    default: return nil
    }
  }
}

extension HostError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .configuration(let text): text
    case .serviceEnded(let name): "\(name) ended without being asked to."
    case .drainTimedOut(let deadline):
      "The services did not stop within \(deadline); raise --drain-seconds if they need longer."
    }
  }
}
