internal import Dispatch
internal import Glibc

/// SIGINT and SIGTERM as they come, instead of their default effect.
package final class Signals: Sendable {
  // Sendable because nobody uses it after it is made: it only keeps the sources alive.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]
  private let stream: AsyncStream<Int32>

  /// Takes both signals over, for the rest of the process's life.
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
    // A source listens a moment after it is activated, and a signal before that would be ignored.
    registrations.wait()
    self.stream = stream
  }

  /// Waits for the next one; `nil` when the task is cancelled.
  package func next() async -> Int32? {
    await stream.first { _ in true }
  }
}
