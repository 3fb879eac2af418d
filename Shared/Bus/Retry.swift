public import MeetingModel
public import ZeroMQ

/// When something that failed for a passing reason is tried again, and for how long.
///
/// The pause doubles from attempt to attempt up to its longest, and has a random part of a quarter
/// either way, so that those who failed together do not come back together.
public struct Retry: Sendable {
  /// No attempt begins at or after this moment; `nil`: there is no such moment.
  public let deadline: ContinuousClock.Instant?

  private var pause: Duration
  private let longestPause: Duration

  /// - Parameters:
  ///   - deadline: When to give up; `nil`: only when it is of no use.
  ///   - pause: Before the second attempt.
  ///   - longestPause: What the pause grows to.
  public init(
    until deadline: ContinuousClock.Instant?, pause: Duration = .milliseconds(50),
    longestPause: Duration = .milliseconds(200)
  ) {
    self.deadline = deadline
    self.pause = min(pause, longestPause)
    self.longestPause = longestPause
  }

  /// How long to wait before the next attempt.
  ///
  /// - Returns: `nil` when another attempt is of no use or too late.
  public mutating func pause(
    after status: Status, at now: ContinuousClock.Instant
  ) -> Duration? {
    guard status.isTransient else { return nil }
    let next = pause * Double.random(in: 0.75...1.25)
    if let deadline, now + next >= deadline { return nil }
    pause = min(pause * 2, longestPause)
    return next
  }

  /// Waits until the next attempt is due.
  ///
  /// - Throws: `status`, when another attempt is of no use or too late, and when the caller's task
  ///   is cancelled.
  public mutating func wait(
    after status: Status, at now: ContinuousClock.Instant
  ) async throws(Status) {
    guard let pause = pause(after: status, at: now) else { throw status }
    do { try await Task.sleep(for: pause) } catch { throw status }
  }

  /// Makes attempts until one succeeds.
  ///
  /// Call it on the socket thread.
  ///
  /// - Throws: What the last attempt threw.
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
