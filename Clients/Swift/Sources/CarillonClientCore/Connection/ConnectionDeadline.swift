/// Until when a session tries to connect: for the first time, or again after a loss.
///
/// A value without a clock: the caller says what time it is, and looks again when ``wait(at:)`` has
/// passed.
struct ConnectionDeadline: Equatable, Sendable {
  /// How long a lost connection is tried again.
  let reconnectTime: Duration

  /// When the session is given up; `nil` while it is connected, and before it is opened.
  private(set) var instant: ContinuousClock.Instant?

  /// The first connection is tried no longer than that, however long a lost one would be.
  static let longestOpening = Duration.seconds(15)

  /// The first connection is tried that long at least: it was not lost yet, so whoever wants no
  /// second attempt still wants the first one.
  static let shortestOpening = Duration.seconds(1)

  /// The longest time that is waited; nobody lives to see the difference.
  private static let longest = Duration.seconds(1_000_000_000)

  /// - Parameter reconnectTimeoutMs: In milliseconds; less than 0 counts as 0.
  init(reconnectTimeoutMs: Int) {
    reconnectTime = min(.milliseconds(max(reconnectTimeoutMs, 0)), Self.longest)
  }

  /// The session is opened.
  mutating func open(at now: ContinuousClock.Instant) {
    instant = now + min(max(reconnectTime, Self.shortestOpening), Self.longestOpening)
  }

  /// The connection is lost, or a further part of it is: the first loss counts.
  mutating func lose(at now: ContinuousClock.Instant) {
    instant = instant ?? now + reconnectTime
  }

  /// All of the connection is there.
  mutating func connect() { instant = nil }

  /// How long the session may still try; `nil` while there is nothing to try, and zero when it is
  /// to be given up.
  func wait(at now: ContinuousClock.Instant) -> Duration? {
    instant.map { max($0 - now, .zero) }
  }
}
