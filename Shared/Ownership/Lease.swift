/// The time during which an instance may act as the owner of its meetings, by its own clock.
///
/// Other instances take its meetings over when its heartbeat is older than three seconds. Its lease
/// ends earlier and counts from the sending of a heartbeat, before others can see it. The clock
/// must also run while the machine is suspended.
struct Lease: Hashable, Sendable {
  private(set) var renewedAt: ContinuousClock.Instant

  /// Half a second less than the registry's limit.
  static let length = Duration.milliseconds(2_500)

  init(at now: ContinuousClock.Instant) { renewedAt = now }

  /// Renews the lease after a heartbeat that was sent at this instant has succeeded.
  mutating func renew(sentAt instant: ContinuousClock.Instant) {
    renewedAt = max(renewedAt, instant)
  }

  func holds(at now: ContinuousClock.Instant) -> Bool { now - renewedAt < Self.length }
}
