/// The numbers by which browsers know each stay of an attendee in a meeting.
///
/// They rise with the time of joining, also across restarts and gateways: a client ignores the end
/// of a smaller number once it knows a larger one of the same attendee.
struct StreamNumbers {
  /// One attendee's newest stay.
  private struct Stay {
    let joinedAtMs: UInt64
    let number: UInt32
    var isOver = false
  }

  private var stays: [String: Stay] = [:]
  private var last: UInt32 = 0

  /// The attendees who left, oldest first; each is kept for a while.
  private var over: [String] = []

  /// The maximum number of ended stays that are kept.
  private static let mostOver = 4_096

  /// The milliseconds that one number stands for; numbers wrap around after two years.
  private static let step: UInt64 = 16

  /// Returns the number of the stay that began at this time.
  ///
  /// Numbers do not fall: a stay older than the newest one gets the newest one's number.
  mutating func number(of participant: String, since joinedAtMs: UInt64) -> UInt32 {
    if let stay = stays[participant], joinedAtMs < stay.joinedAtMs { return stay.number }
    if let stay = stays[participant], stay.joinedAtMs == joinedAtMs {
      stays[participant]?.isOver = false
      return stay.number
    }
    let floor = UInt32(truncatingIfNeeded: joinedAtMs / Self.step)
    // Stays that begin at the same time get consecutive numbers; after a wrap, numbers follow the
    // time.
    let isAhead = last >= floor && last - floor < 1 << 24
    last = max(1, isAhead ? last &+ 1 : floor)
    stays[participant] = Stay(joinedAtMs: joinedAtMs, number: last)
    return last
  }

  /// Returns the number of an attendee's newest stay; `nil` if it is unknown or long over.
  func number(of participant: String) -> UInt32? { stays[participant]?.number }

  /// Returns whether the attendee is present.
  func isPresent(_ participant: String) -> Bool { stays[participant].map { !$0.isOver } ?? false }

  /// Ends the stay of an attendee who left.
  mutating func end(_ participant: String) {
    guard isPresent(participant) else { return }
    stays[participant]?.isOver = true
    over.append(participant)
    guard over.count > Self.mostOver else { return }
    let forgotten = over.removeFirst()
    if !isPresent(forgotten) { stays[forgotten] = nil }
  }

  /// All attendees who are present, or who left and are still kept.
  var known: [(participant: String, number: UInt32, isPresent: Bool)] {
    stays.map { ($0.key, $0.value.number, !$0.value.isOver) }.sorted { $0.number < $1.number }
  }
}
