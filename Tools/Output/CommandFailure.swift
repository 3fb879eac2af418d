internal import ArgumentParser
package import MeetingModel

/// Why a command failed, in the words it is reported with.
package struct CommandFailure: Error, Hashable, CustomStringConvertible {
  /// What the process leaves with.
  package enum Exit: Int32, Hashable {
    /// The command was understood and could not be done.
    case failed = 1
    /// Nobody was there to do it.
    case unavailable = 69
    /// It cannot be done until somebody puts something right: a service manager need not try again.
    case configuration = 78
  }

  /// Canonical name of a status code, such as `NOT_FOUND`.
  package let code: String
  /// What is wrong and what to do.
  package let message: String
  package let exit: Exit

  package init(code: String, message: String, exit: Exit = .failed) {
    self.code = code
    self.message = message
    self.exit = exit
  }

  /// The installation, or a part of it, cannot be reached.
  package static func unavailable(_ message: String) -> CommandFailure {
    CommandFailure(code: StatusCode.unavailable.canonicalName, message: message, exit: .unavailable)
  }

  /// Something around the command has to be put right first.
  package static func precondition(_ message: String) -> CommandFailure {
    CommandFailure(code: StatusCode.failedPrecondition.canonicalName, message: message)
  }

  /// Wrong whatever the installation's state.
  package static func invalid(_ message: String) -> CommandFailure {
    CommandFailure(code: StatusCode.invalidArgument.canonicalName, message: message)
  }

  /// Whatever stopped a command, as a failure.
  package init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as any StatusConvertible: self.init(error.status)
    default: self.init(code: StatusCode.unknown.canonicalName, message: "\(error)")
    }
  }

  /// What a server answered.
  package init(_ status: Status) {
    let isOut = status.code == .unavailable || status.code == .deadlineExceeded
    self.init(
      code: status.code.canonicalName, message: status.message,
      exit: isOut ? .unavailable : .failed)
  }

  package var description: String { "\(code): \(message)" }
}

extension StatusCode {
  /// The name of the code as gRPC spells it: `notFound` is `NOT_FOUND`.
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
