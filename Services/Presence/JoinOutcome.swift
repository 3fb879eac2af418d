/// The result of a join.
struct JoinOutcome: Hashable, Sendable {
  /// Whether `presence` published no join for the session. Either the session was still present. Or
  /// it was present before this owner took over, and `presence` published no departure.
  let wasPresent: Bool

  let effects: [RosterEffect]
}
