internal import Glibc

/// The way in which a child process ended.
package enum ChildExit: Hashable, Sendable, CustomStringConvertible {
  /// The process exited with this status.
  case status(Int32)
  /// This signal ended the process.
  case signal(Int32)

  /// Decodes a status of waitpid(2).
  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .status((waitStatus >> 8) & 0xFF) : .signal(signal)
  }

  /// Whether a flag or the environment is wrong, or another process uses a port of the service
  /// (`sysexits.h`). An immediate restart does not help.
  var needsOperator: Bool {
    self == .status(64) || self == .status(78) || isInUse
  }

  /// Whether another process uses a port, a socket or the name of the service.
  var isInUse: Bool { self == .status(75) }

  package var description: String {
    switch self {
    case .status(let status): "exit status \(status)"
    case .signal(let number): "signal \(number)"
    }
  }
}
