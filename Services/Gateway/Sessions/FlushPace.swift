/// Decides when the items that wait for clients are sent.
///
/// Each write to a connection costs a system call, whatever its size. So when several events were
/// sent together and more are likely to follow, the next ones are gathered as long as they keep
/// arriving. Gathering takes at most ``longestShare`` times as long as the last writing took, so
/// that at least a fifth of the time goes into writing. A single event is sent at once. Gathered
/// events are sent when no other has arrived for a while, so that a client that waits for them
/// before it sends more does not wait in vain.
struct FlushPace {
  private var began: ContinuousClock.Instant?
  private var events = 0
  private var gathering: Gathering?

  private struct Gathering {
    /// The time at which gathering ends.
    let end: ContinuousClock.Instant

    /// The silence after which no other event is expected.
    let quiet: Duration

    var items = 0
    var lastCame: ContinuousClock.Instant
  }

  /// The longest gathering, as a multiple of the time that the last writing took.
  static let longestShare = 4

  /// The longest gathering.
  static let longestHold = Duration.milliseconds(20)

  /// The shortest silence that ends gathering.
  ///
  /// Events at shorter intervals count as continuous.
  static let shortestQuiet = Duration.microseconds(300)

  /// Returns the time until which the waiting items must be held, as far as is known now, or `nil`
  /// to send them now.
  ///
  /// - Parameter items: The number of items that wait. An item for several sessions counts once for
  ///   each.
  mutating func hold(items: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard var known = gathering else { return nil }
    if items > known.items { (known.items, known.lastCame) = (items, now) }
    gathering = known
    let end = min(known.end, known.lastCame + known.quiet)
    return end > now ? end : nil
  }

  /// Records that writing begins.
  ///
  /// - Parameters:
  ///   - items: The number of items to send. An item for several sessions counts once for each.
  ///   - sessions: The number of sessions that they are sent to.
  mutating func begin(items: Int, sessions: Int, at now: ContinuousClock.Instant) {
    began = now
    events = 2 * items > 3 * sessions ? items / max(sessions, 1) : 0
  }

  /// Records that writing has ended.
  ///
  /// Does nothing if none had begun.
  mutating func end(at now: ContinuousClock.Instant) {
    guard let began else { return }
    self.began = nil
    guard events > 0 else { return gathering = nil }
    let writing = now - began
    gathering = Gathering(
      end: now + min(writing * Self.longestShare, Self.longestHold),
      quiet: max(writing / events, Self.shortestQuiet), lastCame: now)
  }
}
