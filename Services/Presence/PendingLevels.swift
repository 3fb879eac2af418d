import MeetingModel

/// Whose levels may have changed since they were told, and when they may be told again.
struct PendingLevels: Sendable {
  private let interval: Duration
  private var participants: Set<ParticipantID> = []
  private var reportedAt: ContinuousClock.Instant?

  /// When to tell. `nil`: nothing to tell.
  private(set) var due: ContinuousClock.Instant?

  /// - Parameter interval: Least time from one telling to the next.
  init(interval: Duration) { self.interval = interval }

  mutating func insert(_ participant: ParticipantID, at now: ContinuousClock.Instant) {
    participants.insert(participant)
    due = due ?? reportedAt.map { max(now, $0 + interval) } ?? now
  }

  /// Whom to look at now, in no particular order; empty when it is too early.
  mutating func take(at now: ContinuousClock.Instant) -> Set<ParticipantID> {
    guard let moment = due, moment <= now else { return [] }
    defer { participants = [] }
    due = nil
    return participants
  }

  mutating func didReport(at now: ContinuousClock.Instant) { reportedAt = now }
}
