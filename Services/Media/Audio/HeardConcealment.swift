/// How many concealed packets of others one listener heard.
///
/// The packets of everybody in the mix are counted once for all listeners. Each of them notes that
/// count when it begins and when it stops to hear the mix.
struct HeardConcealment {
  /// What it heard before it stopped last.
  private var former = 0

  /// The count when it began to hear the mix; `nil` while it does not.
  private var beginning: Int?

  /// It hears the mix from now on; idempotent.
  ///
  /// - Parameter count: The concealed packets in the mix so far, without its own.
  mutating func begin(at count: Int) { beginning = beginning ?? count }

  /// It hears the mix no longer; idempotent.
  mutating func end(at count: Int) {
    former = heard(at: count)
    beginning = nil
  }

  /// The concealed packets that it heard.
  func heard(at count: Int) -> Int { former + (beginning.map { count - $0 } ?? 0) }
}
