/// The number of a session within its meeting, used where packets are handled.
///
/// The meeting chooses the number and may reuse it after the session is removed.
struct SessionKey: Hashable, Sendable {
  /// 0–65,535. Tables of a meeting are as long as its highest key.
  let index: Int

  init(_ index: Int) {
    precondition((0...65_535).contains(index), "A session's key is 0-65535.")
    self.index = index
  }
}
