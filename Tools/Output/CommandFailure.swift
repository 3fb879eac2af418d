internal import ArgumentParser
package import MeetingModel

/// The reason why a command failed, as the command prints it.
package struct CommandFailure: Error, Hashable, CustomStringConvertible {
  /// The exit status of the process.
  package enum Exit: Int32, Hashable {
    /// The command was valid, but this program could not execute it.
    case failed = 1
    /// The service or installation was not available.
    case unavailable = 69
    /// Another process uses a port, a socket or a name, so a later start can succeed.
    case inUse = 75
    /// An operator must correct a fault first, so a service manager need not retry.
    case configuration = 78
  }

  /// The canonical name of a status code, such as `NOT_FOUND`.
  package let code: String
  /// The fault and its remedy.
  package let message: String
  package let exit: Exit

  package init(code: String, message: String, exit: Exit = .failed) {
    self.code = code
    self.message = message
    self.exit = exit
  }

  /// Returns the failure of a request to an installation, or to a part of an installation, that
  /// this program cannot reach.
  package static func unavailable(_ message: String) -> CommandFailure {
    CommandFailure(code: StatusCode.unavailable.canonicalName, message: message, exit: .unavailable)
  }

  /// Returns the failure of a command that cannot succeed before the user corrects something
  /// outside the command.
  package static func precondition(_ message: String) -> CommandFailure {
    CommandFailure(code: StatusCode.failedPrecondition.canonicalName, message: message)
  }

  /// Returns the failure of a start that cannot succeed before another process releases a port.
  package static func inUse(_ message: String) -> CommandFailure {
    CommandFailure(code: StatusCode.unavailable.canonicalName, message: message, exit: .inUse)
  }

  /// Returns the failure of a start that cannot succeed before an operator corrects the
  /// configuration.
  package static func configuration(_ message: String) -> CommandFailure {
    CommandFailure(
      code: StatusCode.failedPrecondition.canonicalName, message: message, exit: .configuration)
  }

  /// Returns the failure of a request that is wrong in any state of the installation.
  package static func invalid(_ message: String) -> CommandFailure {
    CommandFailure(code: StatusCode.invalidArgument.canonicalName, message: message)
  }

  /// Converts any error to a failure.
  package init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as any StatusConvertible: self.init(error.status)
    default: self.init(code: StatusCode.unknown.canonicalName, message: "\(error)")
    }
  }

  /// Converts a server's status to a failure.
  package init(_ status: Status) {
    let isOut = status.code == .unavailable || status.code == .deadlineExceeded
    self.init(
      code: status.code.canonicalName, message: status.message,
      exit: isOut ? .unavailable : .failed)
  }

  package var description: String { "\(code): \(message)" }
}

extension StatusCode {
  /// The code's name as gRPC spells it: `notFound` is `NOT_FOUND`.
  var canonicalName: String {
    switch self {
    case .internalError: "INTERNAL"
    default:
      "\(self)".reduce(into: "") { name, character in
        if character.isUppercase { name.append("_") }
        name.append(contentsOf: character.uppercased())
      }
    }
  }
}
