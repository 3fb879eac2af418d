/// An attendee's two mutes: its own mute, and an operator's mute.
///
/// The two mutes are independent. The client's choice remains stored during an operator's mute, and
/// applies again after the operator ends this mute. During an operator's mute, a client cannot
/// unmute itself.
struct MuteState: Hashable, Sendable {
  /// Whether the client has muted itself.
  var isOwn: Bool

  /// Whether an operator has muted the attendee.
  var isByOperator: Bool

  /// Whether the client has not reported its choice yet. A browser reports its choice only after
  /// its join.
  var isUnknown = false

  var isMuted: Bool { isOwn || isByOperator }

  /// Returns this state, but with the client's choice from `before` if this state does not contain
  /// the client's choice.
  func orKnown(_ before: MuteState) -> MuteState {
    guard isUnknown else { return self }
    return MuteState(
      isOwn: before.isOwn, isByOperator: isByOperator, isUnknown: before.isUnknown)
  }

  /// Returns whether `presence` must publish the difference between `other` and this state.
  func looksDifferent(from other: MuteState) -> Bool {
    isMuted != other.isMuted || isByOperator != other.isByOperator || isUnknown != other.isUnknown
  }
}
