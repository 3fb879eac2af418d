/// What came of a join.
struct JoinOutcome: Hashable, Sendable {
  /// Whether the same session was still here, so that no join was published; or was here before
  /// this owner took over, so that nobody saw it go.
  let wasPresent: Bool

  let effects: [RosterEffect]
}
