/// Decides when the gateway sends the items that wait for clients.
///
/// Each write to a connection costs a system call, independent of the size of the write. After a
/// flush of several events, more events usually follow. So after such a flush, the gateway does not
/// send each further event immediately. It gathers events as long as new events arrive, and then
/// sends them together. It gathers for at most ``longestShare`` times the duration of the last
/// write, so at least a fifth of the time remains for writing. The gateway sends a single event
/// immediately. It also sends gathered events after a short silence, because a client may wait for
/// these events before the client sends more.
struct FlushSchedule {
  private var began: ContinuousClock.Instant?
  private var events = 0
  private var gathering: Gathering?

  private struct Gathering {
    /// The time at which gathering ends.
    let end: ContinuousClock.Instant

    /// The length of a silence after which the gateway expects no further event.
    let quiet: Duration

    var items = 0
    var lastCame: ContinuousClock.Instant
  }

  /// The longest time for which the gateway gathers events, as a multiple of the duration of the
  /// last write.
  static let longestShare = 4

  /// The longest time for which the gateway gathers events, whatever the duration of the last
  /// write.
  static let longestHold = Duration.milliseconds(20)

  /// The shortest silence after which the gateway stops gathering events.
  ///
  /// If events arrive at shorter intervals, the gateway continues to gather.
  static let shortestQuiet = Duration.microseconds(300)

  /// Returns the time at which the gateway should send the waiting items; `nil` to send the items
  /// immediately. Later calls may return a different time.
  ///
  /// - Parameter items: The number of items that wait. An item for several sessions counts once for
  ///   each session.
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
  ///   - items: The number of items to send. An item for several sessions counts once for each
  ///     session.
  ///   - sessions: The number of sessions that receive these items.
  mutating func begin(items: Int, sessions: Int, at now: ContinuousClock.Instant) {
    began = now
    events = 2 * items > 3 * sessions ? items / max(sessions, 1) : 0
  }

  /// Records that writing has ended.
  ///
  /// Does nothing if writing had not begun.
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
