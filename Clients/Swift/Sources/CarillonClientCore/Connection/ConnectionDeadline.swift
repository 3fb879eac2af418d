/// The deadline by which a session must connect for the first time, or again after a loss.
///
/// The deadline is a value without a clock: the caller passes in the time, and checks again after
/// ``wait(at:)``.
struct ConnectionDeadline: Equatable, Sendable {
  /// How long the session tries to restore a lost connection.
  let reconnectTime: Duration

  /// The time at which the session gives up; `nil` while the session is connected, and before the
  /// opening of the session.
  private(set) var instant: ContinuousClock.Instant?

  /// The longest time for the first connection, even if `reconnectTime` is longer.
  static let longestOpening = Duration.seconds(15)

  /// The shortest time for the first connection. An application that disables reconnecting still
  /// needs the first attempt.
  static let shortestOpening = Duration.seconds(1)

  /// The longest wait: about 31 years, in effect unlimited.
  private static let longest = Duration.seconds(1_000_000_000)

  /// - Parameter reconnectTimeoutMs: The reconnect timeout in milliseconds; a negative value means
  ///   0.
  init(reconnectTimeoutMs: Int) {
    reconnectTime = min(.milliseconds(max(reconnectTimeoutMs, 0)), Self.longest)
  }

  /// Sets the deadline for the first connection.
  mutating func open(at now: ContinuousClock.Instant) {
    instant = now + min(max(reconnectTime, Self.shortestOpening), Self.longestOpening)
  }

  /// Sets the deadline after the session has lost its connection or a part of the connection. An
  /// existing deadline does not change.
  mutating func lose(at now: ContinuousClock.Instant) {
    instant = instant ?? now + reconnectTime
  }

  /// Clears the deadline: the connection is complete.
  mutating func connect() { instant = nil }

  /// Returns the time until the deadline; `nil` if there is no deadline, and zero after the
  /// deadline.
  func wait(at now: ContinuousClock.Instant) -> Duration? {
    instant.map { max($0 - now, .zero) }
  }
}
