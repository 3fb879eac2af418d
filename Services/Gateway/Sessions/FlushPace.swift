/// When what waits for clients leaves.
///
/// To write to a connection costs a call of the system, however much leaves by it. So when several
/// events left together, and more are likely to follow, the next ones are gathered: for as long as
/// they keep coming, and at most for ``longestShare`` times what writing took, so that a fifth of
/// the time at least goes into writing. An event that comes alone leaves at once, and so do the
/// gathered ones when no other has come for a while: whoever waits for them before it says more
/// waits for nothing.
struct FlushPace {
  private var began: ContinuousClock.Instant?
  private var events = 0
  private var gathering: Gathering?

  private struct Gathering {
    /// Nothing waits longer.
    let end: ContinuousClock.Instant

    /// No event for so long: no other is expected.
    let quiet: Duration

    var items = 0
    var lastCame: ContinuousClock.Instant
  }

  /// How often as long as writing took others are waited for.
  static let longestShare = 4

  /// Nothing waits longer than this because of others.
  static let longestHold = Duration.milliseconds(20)

  /// Events that come more often than this keep coming.
  static let shortestQuiet = Duration.microseconds(300)

  /// Until when what waits has to wait on, as far as is known now; `nil`: it leaves now.
  ///
  /// - Parameter items: How many items wait, once for each session.
  mutating func hold(items: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard var known = gathering else { return nil }
    if items > known.items { (known.items, known.lastCame) = (items, now) }
    gathering = known
    let end = min(known.end, known.lastCame + known.quiet)
    return end > now ? end : nil
  }

  /// Writing begins.
  ///
  /// - Parameters:
  ///   - items: How many items leave, once for each session.
  ///   - sessions: To how many sessions.
  mutating func begin(items: Int, sessions: Int, at now: ContinuousClock.Instant) {
    began = now
    events = 2 * items > 3 * sessions ? items / max(sessions, 1) : 0
  }

  /// All has been written that was. Nothing happens if nothing had begun.
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
