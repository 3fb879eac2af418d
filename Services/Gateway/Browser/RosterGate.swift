/// The rule for when a browser receives the roster.
///
/// The public client waits for its own presence after its first SUBSCRIBE_ACK, and misses one that
/// arrives earlier. A client that does not subscribe gets the roster 2 s after its first INDEX. One
/// that declared that it wants no media gets it at once. A value without a clock.
struct RosterGate {
  /// Whether the roster may be shown.
  private(set) var isOpen: Bool

  private var indexedAt: ContinuousClock.Instant?
  private var hasSubscribed = false

  /// How long a client has to send SUBSCRIBE after its first INDEX.
  static let patience = Duration.seconds(2)

  init(wantsMedia: Bool) { isOpen = !wantsMedia }

  /// Records that the client was sent an INDEX; only the first one counts.
  mutating func indexed(at now: ContinuousClock.Instant) { indexedAt = indexedAt ?? now }

  /// Records a SUBSCRIBE: the roster follows its answer, however long that takes.
  mutating func subscribed() { hasSubscribed = true }

  /// Opens the gate after the answer to a SUBSCRIBE.
  ///
  /// - Returns: Whether it was closed before.
  mutating func acknowledged() -> Bool {
    defer { isOpen = true }
    return !isOpen
  }

  /// Opens the gate if no SUBSCRIBE arrived in time.
  ///
  /// - Returns: Whether this call opened it.
  mutating func look(at now: ContinuousClock.Instant) -> Bool {
    guard !isOpen, !hasSubscribed, let indexedAt, now - indexedAt >= Self.patience else {
      return false
    }
    isOpen = true
    return true
  }
}
