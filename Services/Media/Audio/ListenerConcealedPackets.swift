/// The number of other participants' concealed packets that one listener heard.
///
/// The meeting counts the concealed packets in the mix once for all listeners. Each listener stores
/// this count when it starts to hear the mix, and when it stops hearing the mix.
struct ListenerConcealedPackets {
  /// The number of concealed packets that the listener heard before it last stopped hearing the
  /// mix.
  private var former = 0

  /// The count when the listener started to hear the mix; `nil` while the listener does not hear
  /// the mix.
  private var beginning: Int?

  /// Starts to count when the listener begins to hear the mix. A second call has no effect.
  ///
  /// - Parameter count: The number of concealed packets in the mix so far, not counting the
  ///   listener's own packets.
  mutating func begin(at count: Int) { beginning = beginning ?? count }

  /// Stops counting when the listener stops hearing the mix. A second call has no effect.
  mutating func end(at count: Int) {
    former = heard(at: count)
    beginning = nil
  }

  /// Returns the number of concealed packets that the listener heard.
  func heard(at count: Int) -> Int { former + (beginning.map { count - $0 } ?? 0) }
}
