/// The way in which a session reaches its owner.
public enum SessionArrival: Hashable, Sendable {
  /// A client opens the session.
  case start

  /// A client resumes the session.
  case resume

  /// A gateway announces the session to an owner that does not know the session.
  case announcement

  /// A session of a replica is promoted into the replica's primary.
  case promotion

  /// Returns whether the session is outdated, because the session's client or attendee has reached
  /// another gateway in the meantime.
  ///
  /// Gateways report arrival times by their wall clocks. A gateway may announce a session of any
  /// age. A client's own request is never older than the longest delay of a request. If such a
  /// request seems older, a clock was set back, and the session is not outdated.
  ///
  /// - Parameters:
  ///   - opened: The time at which the client reached its gateway, in milliseconds since 1970.
  ///   - other: The time at which the client or the attendee reached the other gateway, in
  ///     milliseconds since 1970.
  public func isOvertaken(openedAtMs opened: UInt64, by other: UInt64) -> Bool {
    opened < other && (self == .announcement || other - opened <= Self.longestWayMs)
  }

  /// One minute, the longest time that a stalled gateway may delay a request.
  private static let longestWayMs: UInt64 = 60_000
}
