/// The time, by an instance's own clock, during which the instance may act as the owner of its
/// meetings.
///
/// Other instances take over the meetings of an instance whose heartbeat is older than three
/// seconds. The lease is shorter than three seconds, so it ends before another instance takes over.
/// The lease starts when the instance sends a heartbeat, before other instances can see the
/// heartbeat. The clock must also advance during a suspension of the machine.
struct Lease: Hashable, Sendable {
  private(set) var renewedAt: ContinuousClock.Instant

  /// The length of a lease: half a second less than the registry's limit for heartbeats.
  static let length = Duration.milliseconds(2_500)

  init(at now: ContinuousClock.Instant) { renewedAt = now }

  /// Renews the lease. The new lease starts at `instant`, the time at which the instance sent a
  /// heartbeat.
  mutating func renew(sentAt instant: ContinuousClock.Instant) {
    renewedAt = max(renewedAt, instant)
  }

  func holds(at now: ContinuousClock.Instant) -> Bool { now - renewedAt < Self.length }
}
