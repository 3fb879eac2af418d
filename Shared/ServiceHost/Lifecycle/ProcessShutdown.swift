/// The states of a process between running and stopped, and its reactions to events.
///
/// The type is a value without a clock or services, so that tests can try every order of events.
struct ProcessShutdown {
  enum Event {
    /// SIGTERM or SIGINT, by number.
    case signal(Int32)
    case serviceEnded(name: String)
    case serviceFailed(name: String, error: any Error)
    /// The time for draining is over.
    case deadlinePassed
    /// The time for cancelled services to stop is over.
    case timeoutEnded
    /// All services have returned.
    case servicesStopped((any Error)?)
  }

  enum Action: Hashable {
    case none
    /// Reject new work and finish accepted work.
    case drain
    case cancelServices
    /// Exit immediately with this status, even if services still run.
    case leave(status: Int32)
    case finish
  }

  private enum Phase {
    case running
    case draining
    case cancelled
    case stopped
  }

  private var phase = Phase.running
  private var signals = 0
  /// The first failure. Later failures are often only consequences of the first failure.
  private(set) var failure: (any Error)?
  private let drainDeadline: Duration

  init(drainDeadline: Duration) {
    self.drainDeadline = drainDeadline
  }

  mutating func handle(_ event: Event) -> Action {
    switch event {
    case .signal(let number):
      signals += 1
      return signals > 1 ? .leave(status: 128 + number) : drainUnlessUnderWay()
    case .serviceEnded(let name):
      guard case .running = phase else { return .none }
      failure = HostError.serviceEnded(name: name)
      return drainUnlessUnderWay()
    case .serviceFailed(_, let error):
      return fail(with: error)
    case .deadlinePassed:
      guard case .draining = phase else { return .none }
      phase = .cancelled
      if failure == nil { failure = HostError.drainTimedOut(after: drainDeadline) }
      return .cancelServices
    case .timeoutEnded:
      guard case .cancelled = phase else { return .none }
      return .leave(status: ProcessExitStatus.internalFailure.rawValue)
    case .servicesStopped(let error):
      if failure == nil { failure = error }
      phase = .stopped
      return .finish
    }
  }

  private mutating func fail(with error: any Error) -> Action {
    // A service throws an error when it is cancelled. This error is not a failure.
    if case .cancelled = phase { return .none }
    if failure == nil { failure = error }
    return drainUnlessUnderWay()
  }

  private mutating func drainUnlessUnderWay() -> Action {
    guard case .running = phase else { return .none }
    phase = .draining
    return .drain
  }
}
