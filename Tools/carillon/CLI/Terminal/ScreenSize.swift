/// The size of a screen in cells.
struct ScreenSize: Hashable, Sendable {
  let columns: Int
  let rows: Int

  /// The assumed size of a terminal that reports no size.
  static let usual = ScreenSize(columns: 80, rows: 24)
}
