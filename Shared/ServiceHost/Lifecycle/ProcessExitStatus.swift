internal import ZeroMQ

/// The exit status of a service. The numbers are from `sysexits.h`.
///
/// A second signal ends the process with 128 plus the signal's number, as a shell reports signals.
enum ProcessExitStatus: Int32, Hashable {
  /// The process finished all accepted work and stopped after a request to stop. Do not restart.
  case success = 0
  /// A flag is wrong: correct the command line.
  case usage = 64
  /// A failure that the operator did not cause, and that the log names. The operator can restart
  /// the process.
  case internalFailure = 70
  /// Another process uses a port, a socket or the instance's name, or this machine does not have
  /// the address. A later start can succeed: the other process may end, or the machine may get the
  /// address.
  case inUse = 75
  /// The environment, a directory or a file is wrong: correct this fault before the next start.
  case configuration = 78

  /// Creates the exit status for the error that ended a service.
  init(for error: any Error) {
    switch error as? HostError ?? (error as? ZeroMQError).flatMap({ HostError(listening: $0) }) {
    case .configuration: self = .configuration
    case .inUse: self = .inUse
    case .serviceEnded, .drainTimedOut, nil: self = .internalFailure
    }
  }
}
