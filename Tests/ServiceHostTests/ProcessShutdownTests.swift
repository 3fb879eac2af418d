import Glibc
import Testing
import ZeroMQ

@testable import ServiceHost

@Suite struct ProcessShutdownTests {
  private struct Trouble: Error, Hashable {}

  private var lifecycle = ProcessShutdown(drainDeadline: .seconds(10))

  @Test mutating func `the first signal starts the drain, and the second signal ends the process`()
  {
    #expect(lifecycle.handle(.signal(15)) == .drain)
    #expect(lifecycle.handle(.signal(2)) == .leave(status: 130))
  }

  @Test mutating func `a clean stop reports no failure`() {
    _ = lifecycle.handle(.signal(15))
    #expect(lifecycle.handle(.serviceEnded(name: "a")) == .none)
    #expect(lifecycle.handle(.servicesStopped(nil)) == .finish)
    #expect(lifecycle.failure == nil)
  }

  @Test mutating func `a service that ends without a stop request starts the drain`() {
    #expect(lifecycle.handle(.serviceEnded(name: "a")) == .drain)
    #expect(lifecycle.handle(.serviceEnded(name: "b")) == .none)
    #expect(lifecycle.handle(.servicesStopped(nil)) == .finish)
    #expect(lifecycle.failure as? HostError == .serviceEnded(name: "a"))
  }

  @Test mutating func `one signal after a failure does not shorten the drain`() {
    #expect(lifecycle.handle(.serviceFailed(name: "a", error: Trouble())) == .drain)
    #expect(lifecycle.handle(.signal(15)) == .none)
    #expect(lifecycle.handle(.signal(15)) == .leave(status: 143))
    #expect(lifecycle.failure is Trouble)
  }

  @Test mutating func `the deadline cancels the services, and the timeout ends the process`() {
    _ = lifecycle.handle(.signal(15))
    #expect(lifecycle.handle(.deadlinePassed) == .cancelServices)
    #expect(
      lifecycle.handle(.serviceFailed(name: "a", error: CancellationError())) == .none)
    #expect(lifecycle.handle(.timeoutEnded) == .leave(status: 70))
    #expect(lifecycle.failure as? HostError == .drainTimedOut(after: .seconds(10)))
  }

  @Test mutating func `a failure during the drain becomes the failure of the process`() {
    _ = lifecycle.handle(.signal(15))
    #expect(lifecycle.handle(.serviceFailed(name: "a", error: Trouble())) == .none)
    #expect(lifecycle.handle(.servicesStopped(CancellationError())) == .finish)
    #expect(lifecycle.failure is Trouble)
  }

  @Test mutating func `a deadline before or after the drain changes nothing`() {
    #expect(lifecycle.handle(.deadlinePassed) == .none)
    #expect(lifecycle.handle(.timeoutEnded) == .none)
    _ = lifecycle.handle(.signal(15))
    _ = lifecycle.handle(.servicesStopped(nil))
    #expect(lifecycle.handle(.deadlinePassed) == .none)
    #expect(lifecycle.failure == nil)
  }

  @Test(arguments: [
    (HostError.configuration("x") as any Error, ProcessExitStatus.configuration),
    (HostError.serviceEnded(name: "x"), .internalFailure),
    (HostError.drainTimedOut(after: .zero), .internalFailure),
    (Trouble(), .internalFailure), (HostError.inUse("x"), .inUse),
    (HostError(cannotListen: "x", code: EADDRINUSE), .inUse),
    (HostError(cannotListen: "x", code: EADDRNOTAVAIL), .inUse),
    (HostError(cannotListen: "x", code: EACCES), .configuration),
    (ZeroMQError.failed(operation: "x", code: EADDRINUSE), .internalFailure),
  ])
  func `each failure has the right exit status`(error: any Error, status: ProcessExitStatus) {
    #expect(ProcessExitStatus(for: error) == status)
  }

  @Test func `the exit status of a process whose socket cannot listen depends on the cause`()
    throws
  {
    let endpoint = try Endpoint("tcp://127.0.0.1:7400")
    let failures: [(ZeroMQError, ProcessExitStatus)] = [
      (.endpointInUse(endpoint), .inUse),
      (.endpointLocked(endpoint, lockPath: "/l", holder: 1), .inUse),
      (.endpointFailed(endpoint, operation: "Binding", code: EADDRNOTAVAIL), .inUse),
      (.endpointFailed(endpoint, operation: "Binding", code: EACCES), .configuration),
      (.endpointFailed(endpoint, operation: "Binding", code: EMFILE), .internalFailure),
    ]
    for (error, status) in failures { #expect(ProcessExitStatus(for: error) == status) }
  }
}
