/// How long an instance may count on being the owner of its meetings, by its own clock.
///
/// Others take its meetings over when its heartbeat is older than three seconds. It stops counting
/// on them earlier: from when a heartbeat was sent, which is before anybody saw it. The clock must
/// go on in a suspended machine.
struct Lease: Hashable, Sendable {
  private(set) var renewedAt: ContinuousClock.Instant

  /// Half a second less than the registry's limit.
  static let length = Duration.milliseconds(2_500)

  init(at now: ContinuousClock.Instant) { renewedAt = now }

  /// A heartbeat that was sent then has been taken.
  mutating func renew(sentAt instant: ContinuousClock.Instant) {
    renewedAt = max(renewedAt, instant)
  }

  func holds(at now: ContinuousClock.Instant) -> Bool { now - renewedAt < Self.length }
}
