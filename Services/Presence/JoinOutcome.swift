/// The result of a join.
struct JoinOutcome: Hashable, Sendable {
  /// Whether the session counts as present before this join, so that `presence` published no join.
  /// The session was still present, or it was present before this owner took over and `presence`
  /// published no departure.
  let wasPresent: Bool

  let effects: [RosterEffect]
}
