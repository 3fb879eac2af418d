/// How a session comes to its owner.
public enum Arrival: Hashable, Sendable {
  /// A client opened it.
  case start

  /// A client says that it had it before.
  case resume

  /// A gateway has it and tells an owner that does not know.
  case announcement

  /// A replica's session acts in its primary from now on.
  case promotion

  /// Whether a session that comes so has been overtaken: its client, or its attendee, has come to
  /// another gateway since.
  ///
  /// Gateways say when by their wall clocks. What one announces may be of any age. A client's own
  /// coming is at most as old as a request can be on its way: where it seems to be older, a clock
  /// was set back, and it is new.
  ///
  /// - Parameters:
  ///   - opened: When the client came with it, in milliseconds since 1970.
  ///   - other: When it, or its attendee, came to the other gateway.
  public func isOvertaken(openedAtMs opened: UInt64, by other: UInt64) -> Bool {
    opened < other && (self == .announcement || other - opened <= Self.longestWayMs)
  }

  /// A minute: as long as a gateway that stood still may keep a request back.
  private static let longestWayMs: UInt64 = 60_000
}
