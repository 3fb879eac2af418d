import MeetingModel

/// The participants whose levels may have changed since the last update, and the time of the next
/// update.
struct PendingLevels: Sendable {
  private let interval: Duration
  private var participants: Set<ParticipantID> = []
  private var reportedAt: ContinuousClock.Instant?

  /// The time at which the next update is due; `nil` if no level is pending.
  private(set) var due: ContinuousClock.Instant?

  /// - Parameter interval: The minimum time between two updates.
  init(interval: Duration) { self.interval = interval }

  mutating func insert(_ participant: ParticipantID, at now: ContinuousClock.Instant) {
    participants.insert(participant)
    due = due ?? reportedAt.map { max(now, $0 + interval) } ?? now
  }

  /// Removes and returns the participants to check, in no particular order. Returns none before the
  /// next update is due.
  mutating func take(at now: ContinuousClock.Instant) -> Set<ParticipantID> {
    guard let moment = due, moment <= now else { return [] }
    defer { participants = [] }
    due = nil
    return participants
  }

  mutating func didReport(at now: ContinuousClock.Instant) { reportedAt = now }
}
