/// How many chunks of a meeting's speech media may send.
struct CreditWindow: Sendable {
  let size: Int

  /// What media has and did not use.
  private var available: Int

  init(size: Int) {
    self.size = size
    available = size
  }

  /// A new stream begins with all of it.
  mutating func reset() { available = size }

  mutating func didReceive(_ chunks: Int) { available = max(0, available - chunks) }

  /// What media is granted now, given how much waits here; small amounts wait.
  mutating func grant(waiting: Int) -> UInt32? {
    let missing = size - available - waiting
    guard missing >= max(1, size / 8) else { return nil }
    available += missing
    return UInt32(missing)
  }
}
