/// The number of concealed packets of others that one listener heard.
///
/// The concealed packets in the mix are counted once for all listeners. Each listener stores that
/// count when it starts and when it stops hearing the mix.
struct HeardConcealment {
  /// The number that it heard before it last stopped.
  private var former = 0

  /// The count when it started to hear the mix; `nil` while it does not.
  private var beginning: Int?

  /// Starts to count, because the listener hears the mix; idempotent.
  ///
  /// - Parameter count: The concealed packets in the mix so far, without its own.
  mutating func begin(at count: Int) { beginning = beginning ?? count }

  /// Stops counting, because the listener no longer hears the mix; idempotent.
  mutating func end(at count: Int) {
    former = heard(at: count)
    beginning = nil
  }

  /// Returns the number of concealed packets that it heard.
  func heard(at count: Int) -> Int { former + (beginning.map { count - $0 } ?? 0) }
}
