/// The result of a join.
struct JoinOutcome: Hashable, Sendable {
  /// Whether the same session was still present, so that no join was published, or was present
  /// before this owner took over, so that no departure was published.
  let wasPresent: Bool

  let effects: [RosterEffect]
}
