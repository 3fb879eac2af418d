import MeetingModel
import Ownership

// Publishes the volumes and signal strengths that `media` measures.
extension Roster {
  /// Records the measurements of `media`.
  ///
  /// If the last update is old enough, publishes the measurements immediately. Otherwise the next
  /// update contains them.
  mutating func reportLevels(
    _ reports: [LevelReport], at now: ContinuousClock.Instant
  ) -> [RosterEffect] {
    for report in reports {
      guard var participant = participants[report.participant],
        !participant.attendance.isDeparting
      else { continue }
      participant.levels.measure(volume: report.volume, signal: report.signal)
      participants.put(participant)
      pendingLevels.insert(report.participant, at: now)
    }
    return flushLevels(at: now)
  }

  /// Publishes the changed levels if an update is due.
  mutating func flushLevels(at now: ContinuousClock.Instant) -> [RosterEffect] {
    var update = LevelsUpdate()
    let affected = pendingLevels.take(at: now).compactMap { participants[$0] }
    for var participant in affected.sorted(by: { $0.ordinal < $1.ordinal }) {
      let id = participant.id
      let (volume, signal) = participant.levels.takeChanges(for: participant.mute)
      participants.put(participant)
      if let volume { update.volumes.append(VolumeChange(participant: id, level: volume)) }
      if let signal {
        update.signals.append(SignalStrengthChange(participant: id, strength: signal))
      }
    }
    guard !update.isEmpty, kind == .ordinary else { return [] }
    pendingLevels.didReport(at: now)
    return [.publishLevels(update)]
  }
}
