/// A participant of a ``MeetingAudio``: a small number that its owner chose, and may use again after
/// the participant was removed.
struct ParticipantKey: Hashable, Sendable {
  /// 0–65,535. A meeting keeps a table that is as long as its highest key.
  let rawValue: Int

  init(_ rawValue: Int) {
    precondition((0...65_535).contains(rawValue), "A participant's key is 0-65535.")
    self.rawValue = rawValue
  }
}
