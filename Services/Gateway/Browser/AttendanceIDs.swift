/// The numbers by which browsers identify attendances. An attendance is the time from an attendee's
/// join to this attendee's departure.
///
/// A later join gets a higher number, even after a restart of the gateway or at another gateway. A
/// client that knows a higher number for an attendee ignores the end of an attendance with a lower
/// number.
struct AttendanceIDs {
  /// An attendee's most recent attendance.
  private struct Stay {
    let joinedAtMs: UInt64
    let number: UInt32
    var isOver = false
  }

  private var stays: [String: Stay] = [:]
  private var last: UInt32 = 0

  /// The attendees who left, oldest first. Each attendee remains known until 4,096 other attendees
  /// have left.
  private var over: [String] = []

  /// The maximum number of ended attendances that this value stores.
  private static let mostOver = 4_096

  /// The number of milliseconds after which a join gets the next higher number. At 16 ms, the
  /// numbers wrap around after two years.
  private static let step: UInt64 = 16

  /// Returns the number of the attendance that began at `joinedAtMs`.
  ///
  /// An attendee's numbers never fall. An attendance that began before the newest attendance gets
  /// the number of the newest attendance.
  mutating func number(of participant: String, since joinedAtMs: UInt64) -> UInt32 {
    if let stay = stays[participant], joinedAtMs < stay.joinedAtMs { return stay.number }
    if let stay = stays[participant], stay.joinedAtMs == joinedAtMs {
      stays[participant]?.isOver = false
      return stay.number
    }
    let floor = UInt32(truncatingIfNeeded: joinedAtMs / Self.step)
    // Attendances that begin at the same time get consecutive numbers. When `floor` has wrapped
    // around, `last` is far above `floor`. In that case, the next number is `floor`.
    let isAhead = last >= floor && last - floor < 1 << 24
    last = max(1, isAhead ? last &+ 1 : floor)
    stays[participant] = Stay(joinedAtMs: joinedAtMs, number: last)
    return last
  }

  /// Returns the number of an attendee's newest attendance; `nil` if the attendee is unknown or
  /// forgotten.
  func number(of participant: String) -> UInt32? { stays[participant]?.number }

  /// Returns whether the attendee is present.
  func isPresent(_ participant: String) -> Bool { stays[participant].map { !$0.isOver } ?? false }

  /// Ends the attendance of an attendee who left.
  mutating func end(_ participant: String) {
    guard isPresent(participant) else { return }
    stays[participant]?.isOver = true
    over.append(participant)
    guard over.count > Self.mostOver else { return }
    let forgotten = over.removeFirst()
    if !isPresent(forgotten) { stays[forgotten] = nil }
  }

  /// All attendees who are present, and the attendees who left and are not forgotten.
  var known: [(participant: String, number: UInt32, isPresent: Bool)] {
    stays.map { ($0.key, $0.value.number, !$0.value.isOver) }.sorted { $0.number < $1.number }
  }
}
