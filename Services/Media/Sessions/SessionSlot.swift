/// The number of a session within its meeting. The code that handles packets uses this number.
///
/// The meeting chooses the number and may reuse it after the removal of the session.
struct SessionSlot: Hashable, Sendable {
  /// The number, 0–65,535. The length of a meeting's tables depends on the meeting's highest key.
  let index: Int

  init(_ index: Int) {
    precondition((0...65_535).contains(index), "A session's key is 0-65535.")
    self.index = index
  }
}
