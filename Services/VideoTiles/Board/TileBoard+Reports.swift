import MeetingModel
import Ownership

/// What media measures, and what time brings.
extension TileBoard {
  /// Media estimated what links carry. Receivers that are not here are ignored.
  mutating func reportDownlink(
    _ reports: [DownlinkReport], at now: ContinuousClock.Instant
  ) -> [TileEffect] {
    var changes = BoardChanges()
    for report in reports {
      guard let index = sessions.index(of: report.session) else { continue }
      if sessions[index].report(report, at: now) { changes.rebudgeted.append(index) }
    }
    return conclude(changes)
  }

  /// Media measured what publishers send. Sources and layers that are not here are ignored.
  mutating func reportTracks(
    _ reports: [TrackReport], at now: ContinuousClock.Instant
  ) -> [TileEffect] {
    var changes = BoardChanges()
    for report in reports {
      guard let index = boardSources.firstIndex(where: { $0.tile == report.tile }) else { continue }
      if boardSources[index].measure(report, at: now, memory: rules.excessMemory) {
        changes.concernsAll = true
      }
    }
    return conclude(changes)
  }

  /// The moment at which ``advance(to:)`` has something to do, if there is one.
  var nextDeadline: ContinuousClock.Instant? {
    if isRecovering { return nil }
    var earliest: ContinuousClock.Instant?
    func note(_ moment: ContinuousClock.Instant?) {
      guard let moment else { return }
      earliest = earliest.map { min($0, moment) } ?? moment
    }
    for session in sessions.thoseWaiting {
      note(end(of: session))
      note(session.downlink.deadline)
    }
    for source in boardSources { note(source.silenceDeadline(after: rules.silence)) }
    return earliest
  }

  /// When a session that is away is given up.
  private func end(of session: BoardSession) -> ContinuousClock.Instant? {
    session.contact.end(
      dropAfter: rules.timing.dropAfter, gatewayGrace: rules.timing.gatewayGrace)
  }

  /// Does what is due: sources of those who were away for too long end, links are used for what
  /// they have carried long enough.
  mutating func advance(to now: ContinuousClock.Instant) -> [TileEffect] {
    if isRecovering { return [] }
    var changes = BoardChanges()
    let gone = sessions.indices.filter { end(of: sessions[$0]).map { $0 <= now } ?? false }
    for session in gone.map({ sessions[$0].id }) { remove(session, at: now, changes: &changes) }
    // By index, and those do not change any more.
    for index in sessions.indices where sessions[index].advance(to: now) {
      changes.rebudgeted.append(index)
    }
    for index in boardSources.indices
    where boardSources[index].advance(to: now, silence: rules.silence) {
      changes.concernsAll = true
    }
    return conclude(changes)
  }

  /// When the meeting may be forgotten without losing anything. `nil`: not in sight.
  var forgettableAt: ContinuousClock.Instant? {
    switch phase {
    case .recovering: nil
    case .settled: emptySince.map { $0 + rules.emptyMeetingRetention }
    case .ended(let moment): moment + rules.endedMeetingRetention
    }
  }

  /// The gateways have announced their sessions, or had the time to: from now on the board decides,
  /// and tells what changes.
  mutating func endRecovery(at now: ContinuousClock.Instant) -> [TileEffect] {
    guard isRecovering else { return [] }
    phase = .settled
    if sessions.isEmpty { emptySince = now }
    let present = Set(boardSources.map(\.publisher))
    for index in sessions.indices {
      sessions[index].subscriptions.keep { present.contains($0) }
      sessions[index].refresh(for: boardSources, rules: rules, with: &allocator)
      sessions[index].camera = availability(of: sessions[index])
    }
    let waited = held
    held = []
    return waited + advance(to: now)
  }
}
