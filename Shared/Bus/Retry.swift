public import MeetingModel
public import ZeroMQ

/// The schedule of retries after transient failures.
///
/// The pause doubles with each attempt up to a maximum. Each pause is longer or shorter by a random
/// share of at most a quarter, so that callers that failed together do not retry together.
public struct Retry: Sendable {
  /// The time after which no attempt starts; `nil` if attempts have no time limit.
  public let deadline: ContinuousClock.Instant?

  private var pause: Duration
  private let longestPause: Duration

  /// - Parameters:
  ///   - deadline: The time after which no attempt starts; `nil` to retry until a permanent
  ///     failure.
  ///   - pause: The pause before the second attempt.
  ///   - longestPause: The longest pause.
  public init(
    until deadline: ContinuousClock.Instant?, pause: Duration = .milliseconds(50),
    longestPause: Duration = .milliseconds(200)
  ) {
    self.deadline = deadline
    self.pause = min(pause, longestPause)
    self.longestPause = longestPause
  }

  /// Returns how long to wait before the next attempt.
  ///
  /// - Returns: The pause, or `nil` when another attempt is useless or too late.
  public mutating func pause(
    after status: Status, at now: ContinuousClock.Instant
  ) -> Duration? {
    guard status.isTransient else { return nil }
    let next = nextPause()
    if let deadline, now + next >= deadline { return nil }
    return next
  }

  /// Returns how long to wait before the next attempt, regardless of the failure and the deadline.
  public mutating func nextPause() -> Duration {
    defer { pause = min(pause * 2, longestPause) }
    return pause * Double.random(in: 0.75...1.25)
  }

  /// Waits until the time of the next attempt.
  ///
  /// - Throws: `status`, when another attempt is useless or too late, or after the cancellation of
  ///   the caller's task.
  public mutating func wait(
    after status: Status, at now: ContinuousClock.Instant
  ) async throws(Status) {
    guard let pause = pause(after: status, at: now) else { throw status }
    do { try await Task.sleep(for: pause) } catch { throw status }
  }

  /// Makes attempts until one succeeds.
  ///
  /// Call this method on the socket thread.
  ///
  /// - Throws: The error of the last attempt.
  public func run<Value>(
    on thread: SocketThread, _ attempt: () async throws(Status) -> Value
  ) async throws(Status) -> Value {
    var retry = self
    while true {
      let status: Status
      do throws(Status) { return try await attempt() } catch { status = error }
      try await retry.wait(after: status, at: thread.now)
    }
  }
}
