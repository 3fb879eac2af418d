/// The active speakers of one observer: the scores, and the list that was last reported.
///
/// Each method that changes the scores returns whether the caller must report the list. The caller
/// must report the list if an attendee has entered or left the list, or if the list was empty
/// before the change. If only the order changed, the caller need not report the list.
struct ActiveSpeakerScores: Sendable {
  /// The scores of all known attendees.
  private(set) var scores: [AttendeeInfo: Double] = [:]

  /// The attendees whose scores are above 0, the highest score first.
  private(set) var active: [AttendeeInfo] = []

  private var updatedAtMs: [AttendeeInfo: Int64] = [:]

  /// - Parameter attendees: The attendees already in the meeting; all are silent.
  init(attendees: some Sequence<AttendeeInfo> = EmptyCollection()) {
    for attendee in attendees { scores[attendee] = 0 }
  }

  mutating func join(_ attendee: AttendeeInfo) -> Bool {
    scores[attendee] = 0
    return check(attendee)
  }

  mutating func remove(_ attendee: AttendeeInfo) -> Bool {
    scores[attendee] = nil
    updatedAtMs[attendee] = nil
    return check(attendee)
  }

  /// Records that a volume of the attendee arrived.
  mutating func heard(_ attendee: AttendeeInfo, atMs now: Int64) {
    updatedAtMs[attendee] = now
  }

  mutating func update(_ attendee: AttendeeInfo, score: Double) -> Bool {
    guard scores[attendee] != score else { return false }
    scores[attendee] = score
    return check(attendee)
  }

  /// Returns the attendees whose last volume arrived more than `wait` milliseconds ago.
  func silent(forMs wait: Int64, atMs now: Int64) -> [AttendeeInfo] {
    scores.keys.filter { attendee in
      updatedAtMs[attendee].map { now - $0 > wait } ?? true
    }
  }

  private mutating func check(_ attendee: AttendeeInfo) -> Bool {
    let isActive = scores[attendee, default: 0] > 0
    guard active.isEmpty || active.contains(attendee) != isActive else { return false }
    active = scores.filter { $0.value > 0 }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map(\.key)
    return true
  }
}
