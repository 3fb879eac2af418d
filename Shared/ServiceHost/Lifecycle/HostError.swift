internal import MeetingModel

/// Why a process could not start or did not stop cleanly.
public enum HostError: Error, Hashable {
  /// The operator must change a flag, a variable, a file or a directory; the text says which and
  /// how. Services throw it from `makeServices(in:)` for what only shows at start, such as a key
  /// file others can read; ``lasting(_:)`` says what else that they throw there is one. The process
  /// exits with status 78.
  case configuration(String)
  /// A service returned although nobody had asked it to stop. The process exits with status 70.
  case serviceEnded(name: String)
  /// The services had not stopped when the drain deadline passed, and were cancelled. The process
  /// exits with status 70.
  case drainTimedOut(after: Duration)
}

extension HostError {
  /// What keeps a process from starting as a matter of configuration, if a later start would meet
  /// the same: wrong values, a state that somebody has to put right first, damaged data.
  ///
  /// - Parameter error: What `makeServices(in:)` threw.
  /// - Returns: `nil` for what may pass by itself, such as a store that does not answer.
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
