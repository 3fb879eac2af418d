/// The rule that decides when a browser receives the roster.
///
/// After its first SUBSCRIBE_ACK, the public client waits for a presence frame with its own
/// attendee. The client ignores a presence frame that arrives earlier. A client that does not
/// subscribe gets the roster 2 s after its first INDEX. A client that wants no media gets the
/// roster immediately. The caller passes the time.
struct RosterDeliveryRule {
  /// Whether the gateway may send the roster.
  private(set) var isOpen: Bool

  private var indexedAt: ContinuousClock.Instant?
  private var hasSubscribed = false

  /// How long a client may take to send SUBSCRIBE after its first INDEX.
  static let patience = Duration.seconds(2)

  init(wantsMedia: Bool) { isOpen = !wantsMedia }

  /// Records that the gateway sent the client an INDEX. Only the first call has an effect.
  mutating func indexed(at now: ContinuousClock.Instant) { indexedAt = indexedAt ?? now }

  /// Records a SUBSCRIBE. From now on, the gateway may send the roster only after the answer to the
  /// SUBSCRIBE, even if the answer is late.
  mutating func subscribed() { hasSubscribed = true }

  /// Permits the roster after the answer to a SUBSCRIBE.
  ///
  /// - Returns: Whether this call permitted the roster; `false` if an earlier call had already
  ///   permitted it.
  mutating func acknowledged() -> Bool {
    defer { isOpen = true }
    return !isOpen
  }

  /// Permits the roster if no SUBSCRIBE arrived in time.
  ///
  /// - Returns: Whether this call permitted the roster; `false` if an earlier call had already
  ///   permitted it.
  mutating func look(at now: ContinuousClock.Instant) -> Bool {
    guard !isOpen, !hasSubscribed, let indexedAt, now - indexedAt >= Self.patience else {
      return false
    }
    isOpen = true
    return true
  }
}
