/// When a browser is shown the roster: the public client waits for its own presence behind its
/// first SUBSCRIBE_ACK, and misses one that came before.
///
/// A client that does not subscribe gets the roster a little after its first INDEX, one that has
/// said that it wants no media at once. A value without a clock.
struct RosterGate {
  /// The roster may be shown.
  private(set) var isOpen: Bool

  private var indexedAt: ContinuousClock.Instant?
  private var hasSubscribed = false

  /// How long a client has for its SUBSCRIBE after its first INDEX.
  static let patience = Duration.seconds(2)

  init(wantsMedia: Bool) { isOpen = !wantsMedia }

  /// The client got an INDEX; the first one counts.
  mutating func indexed(at now: ContinuousClock.Instant) { indexedAt = indexedAt ?? now }

  /// A SUBSCRIBE came: the roster follows its answer, however long that takes.
  mutating func subscribed() { hasSubscribed = true }

  /// Opens the gate: a SUBSCRIBE was answered.
  ///
  /// - Returns: Whether it was closed before.
  mutating func acknowledged() -> Bool {
    defer { isOpen = true }
    return !isOpen
  }

  /// Opens the gate if no SUBSCRIBE came in time.
  ///
  /// - Returns: Whether that was now.
  mutating func look(at now: ContinuousClock.Instant) -> Bool {
    guard !isOpen, !hasSubscribed, let indexedAt, now - indexedAt >= Self.patience else {
      return false
    }
    isOpen = true
    return true
  }
}
