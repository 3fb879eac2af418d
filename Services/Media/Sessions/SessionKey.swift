/// A session of one meeting, where packets are handled: a small number that its meeting chose, and
/// may use again after the session was removed.
struct SessionKey: Hashable, Sendable {
  /// 0–65,535. Tables of a meeting are as long as its highest key.
  let index: Int

  init(_ index: Int) {
    precondition((0...65_535).contains(index), "A session's key is 0-65535.")
    self.index = index
  }
}
