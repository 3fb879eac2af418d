internal import Glibc

/// How a child process ended.
package enum ChildExit: Hashable, Sendable, CustomStringConvertible {
  /// It left with this exit status.
  case status(Int32)
  /// This signal ended it.
  case signal(Int32)

  /// Reads what waitpid(2) reports.
  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .status((waitStatus >> 8) & 0xFF) : .signal(signal)
  }

  /// A wrong flag or a wrong environment, by `sysexits.h`: starting again does not help.
  var needsOperator: Bool {
    self == .status(64) || self == .status(78)
  }

  package var description: String {
    switch self {
    case .status(let status): "exit status \(status)"
    case .signal(let number): "signal \(number)"
    }
  }
}
