/// The size of a screen in cells.
struct TerminalSize: Hashable, Sendable {
  let columns: Int
  let rows: Int

  /// The assumed size of a terminal that reports no size.
  static let usual = TerminalSize(columns: 80, rows: 24)
}
