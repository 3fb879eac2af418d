/// An attendee's mutes, by itself and by an operator.
///
/// The two mutes are independent. A client's choice is kept while an operator's mute lasts, and
/// applies again when that mute is lifted. A client cannot unmute itself while an operator mutes
/// it.
struct MuteState: Hashable, Sendable {
  /// Whether the client muted itself.
  var isOwn: Bool

  /// Whether an operator mutes it.
  var isByOperator: Bool

  /// Whether the client's choice is not known yet: a browser reports it after it has joined.
  var isUnknown = false

  var isMuted: Bool { isOwn || isByOperator }

  /// Returns this state, with the client's previous choice where the new one is unknown.
  func orKnown(_ before: MuteState) -> MuteState {
    guard isUnknown else { return self }
    return MuteState(
      isOwn: before.isOwn, isByOperator: isByOperator, isUnknown: before.isUnknown)
  }

  /// Returns whether the change from `other` to this must be published.
  func looksDifferent(from other: MuteState) -> Bool {
    isMuted != other.isMuted || isByOperator != other.isByOperator || isUnknown != other.isUnknown
  }
}
