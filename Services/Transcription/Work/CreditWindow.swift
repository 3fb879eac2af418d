/// The credit that limits how many chunks of a meeting's speech `media` sends.
struct CreditWindow: Sendable {
  let size: Int

  /// The credit that `media` has not used.
  private var available: Int

  init(size: Int) {
    self.size = size
    available = size
  }

  /// Restores the full credit for a new stream.
  mutating func reset() { available = size }

  mutating func didReceive(_ chunks: Int) { available = max(0, available - chunks) }

  /// Returns the credit to grant now; `nil` if the credit is less than an eighth of the window.
  ///
  /// - Parameter waiting: The number of received chunks that wait in this service.
  mutating func grant(waiting: Int) -> UInt32? {
    let missing = size - available - waiting
    guard missing >= max(1, size / 8) else { return nil }
    available += missing
    return UInt32(missing)
  }
}
