/// The result of a join.
struct JoinOutcome: Hashable, Sendable {
  /// Whether `presence` already regarded the session as present before this join, and so published
  /// no join. This is also true for a session that was present before this owner took over, unless
  /// `presence` has published the session's departure.
  let wasPresent: Bool

  let effects: [RosterEffect]
}
