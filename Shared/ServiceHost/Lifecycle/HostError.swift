internal import Glibc
internal import MeetingModel
internal import NIOCore
internal import ZeroMQ

/// The reason why a process could not start or did not stop cleanly.
public enum HostError: Error, Hashable {
  /// The operator must change a flag, a variable, a file or a directory. The text describes the
  /// change.
  ///
  /// Services throw this error from `makeServices(in:)` for faults that only a start can find, such
  /// as a key file that other users can read. ``lasting(_:)`` converts other errors of
  /// `makeServices(in:)`. The process exits with status 78.
  case configuration(String)
  /// Another process uses a port, a socket or the instance's name, or this machine does not have
  /// the address. The text names the resource. A later start can succeed without a change. The
  /// process exits with status 75.
  case inUse(String)
  /// A service returned without a request to stop. The process exits with status 70.
  case serviceEnded(name: String)
  /// The services had not stopped at the drain deadline, so the host cancelled them. The process
  /// exits with status 70.
  case drainTimedOut(after: Duration)
}

extension HostError {
  /// Creates the error of a process that cannot listen on an address.
  ///
  /// - Parameters:
  ///   - text: The address and the reason.
  ///   - code: The `errno` value of the failed call; `nil` if the error has none.
  public init(cannotListen text: String, code: Int32?) {
    self =
      switch code {
      case EADDRINUSE, EADDRNOTAVAIL, ENODEV: .inUse(text)
      default: .configuration(text)
      }
  }

  /// Creates the error of a server that cannot listen on an address.
  public init(cannotListenOn address: String, because error: any Error) {
    let code = (error as? IOError)?.errnoCode
    // The description of an IOError names internal functions.
    let reason = code.map { unsafe String(cString: strerror($0)) } ?? "\(error)"
    self.init(cannotListen: "Cannot listen on \(address): \(reason).", code: code)
  }

  /// Creates the error of a ZeroMQ socket that cannot listen on an endpoint; `nil` for all other
  /// errors.
  init?(listening error: ZeroMQError) {
    switch error {
    case .endpointInUse, .endpointLocked: self = .inUse(error.message)
    case .endpointFailed(_, _, let code)
    where [EADDRNOTAVAIL, ENODEV, EACCES, EPERM].contains(code):
      self.init(cannotListen: error.message, code: code)
    default: return nil
    }
  }

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
    case .configuration(let text), .inUse(let text): text
    case .serviceEnded(let name): "\(name) ended unexpectedly; see its last log lines."
    case .drainTimedOut(let deadline):
      "The services did not stop within \(deadline); raise --drain-seconds if they need longer."
    }
  }
}
