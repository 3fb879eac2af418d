/// How many cells a screen has.
struct ScreenSize: Hashable, Sendable {
  let columns: Int
  let rows: Int

  /// The size of a terminal that does not say.
  static let usual = ScreenSize(columns: 80, rows: 24)
}
