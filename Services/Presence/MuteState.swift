/// Whether somebody is muted, and by whom.
///
/// The two mutes are independent: what a client chose is kept while an operator's mute lasts, so
/// that lifting it leaves the attendee as it chose to be. A client cannot choose to be unmuted
/// while an operator mutes it.
struct MuteState: Hashable, Sendable {
  /// The client's own choice.
  var isOwn: Bool

  /// An operator's decision.
  var isByOperator: Bool

  /// Whether the client has not said yet what it chose: a browser says it after it has joined.
  var isUnknown = false

  var isMuted: Bool { isOwn || isByOperator }

  /// This choice; where the client has not said one, the one that was known before.
  func orKnown(_ before: MuteState) -> MuteState {
    guard isUnknown else { return self }
    return MuteState(
      isOwn: before.isOwn, isByOperator: isByOperator, isUnknown: before.isUnknown)
  }

  /// Whether everybody must be told of the step from `other` to this.
  func looksDifferent(from other: MuteState) -> Bool {
    isMuted != other.isMuted || isByOperator != other.isByOperator || isUnknown != other.isUnknown
  }
}
