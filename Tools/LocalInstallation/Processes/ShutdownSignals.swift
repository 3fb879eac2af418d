internal import Dispatch
internal import Glibc

/// A stream of SIGINT and SIGTERM. The stream replaces the default effect of both signals.
package final class ShutdownSignals: Sendable {
  // Sendable because nothing reads the sources after initialization. The property only keeps the
  // sources alive.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]
  private let stream: AsyncStream<Int32>

  /// Takes over both signals until the process ends.
  package init() {
    let (stream, arrivals) = AsyncStream.makeStream(
      of: Int32.self, bufferingPolicy: .bufferingNewest(8))
    let registrations = DispatchGroup()
    unsafe sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { arrivals.yield(number) }
      registrations.enter()
      source.setRegistrationHandler { registrations.leave() }
      source.activate()
      return source
    }
    // Registering a source takes some time. Signals that arrive before the registration is complete
    // would have no effect.
    registrations.wait()
    self.stream = stream
  }

  /// Waits for the next signal, and returns the signal; returns `nil` if the task is cancelled.
  package func next() async -> Int32? {
    await stream.first { _ in true }
  }
}
