/// The numbers by which browsers know the stays of attendees in a meeting.
///
/// They rise with the time of joining, also over a restart of this gateway and from one gateway to
/// another: a client takes the end of a smaller number for nothing when it knows a larger one of
/// the same attendee.
struct StreamNumbers {
  /// One attendee's newest stay.
  private struct Stay {
    let joinedAtMs: UInt64
    let number: UInt32
    var isOver = false
  }

  private var stays: [String: Stay] = [:]
  private var last: UInt32 = 0

  /// Those who left, oldest first: they are known for a while.
  private var over: [String] = []

  /// How many that are over are kept.
  private static let mostOver = 4_096

  /// Milliseconds of one number: with them all numbers last for two years, and begin again.
  private static let step: UInt64 = 16

  /// The number of a stay that began then; of one before the newest stay, the newest one's, for
  /// numbers do not fall.
  mutating func number(of participant: String, since joinedAtMs: UInt64) -> UInt32 {
    if let stay = stays[participant], joinedAtMs < stay.joinedAtMs { return stay.number }
    if let stay = stays[participant], stay.joinedAtMs == joinedAtMs {
      stays[participant]?.isOver = false
      return stay.number
    }
    let floor = UInt32(truncatingIfNeeded: joinedAtMs / Self.step)
    // Those who come at the same time follow each other; what began anew begins with the time.
    let isAhead = last >= floor && last - floor < 1 << 24
    last = max(1, isAhead ? last &+ 1 : floor)
    stays[participant] = Stay(joinedAtMs: joinedAtMs, number: last)
    return last
  }

  /// The number of an attendee's newest stay; `nil` for one that was not here, or long ago.
  func number(of participant: String) -> UInt32? { stays[participant]?.number }

  /// Whether the attendee is there.
  func isPresent(_ participant: String) -> Bool { stays[participant].map { !$0.isOver } ?? false }

  /// The attendee has left.
  mutating func end(_ participant: String) {
    guard isPresent(participant) else { return }
    stays[participant]?.isOver = true
    over.append(participant)
    guard over.count > Self.mostOver else { return }
    let forgotten = over.removeFirst()
    if !isPresent(forgotten) { stays[forgotten] = nil }
  }

  /// Everybody who is there, and everybody who was and is still known.
  var known: [(participant: String, number: UInt32, isPresent: Bool)] {
    stays.map { ($0.key, $0.value.number, !$0.value.isOver) }.sorted { $0.number < $1.number }
  }
}
