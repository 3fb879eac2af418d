/// What a service's exit status says to whoever started it; the numbers are those of `sysexits.h`.
///
/// A second signal ends the process with 128 plus the signal's number, as a shell reports it.
enum ExitReason: Int32, Hashable {
  /// Stopped when asked to, with everything accepted finished. Do not restart.
  case success = 0
  /// A flag is wrong: correct the command line.
  case usage = 64
  /// Something went wrong that was no fault of the operator: the log names it. Restart.
  case internalFailure = 70
  /// The environment, a directory or a file is wrong: correct it before starting again.
  case configuration = 78

  /// The one place where what ended a service becomes an exit status.
  init(for error: any Error) {
    switch error as? HostError {
    case .configuration: self = .configuration
    case .serviceEnded, .drainTimedOut, nil: self = .internalFailure
    }
  }
}
