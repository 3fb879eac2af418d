/// The result of a join.
struct JoinOutcome: Hashable, Sendable {
  /// Whether no join was published for the session. Either the session was still present. Or it was
  /// present before this owner took over, and no departure was published.
  let wasPresent: Bool

  let effects: [RosterEffect]
}
