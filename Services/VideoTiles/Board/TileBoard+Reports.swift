import MeetingModel
import Ownership

/// The measurements of `media`, and the timers.
extension TileBoard {
  /// Processes the estimates that `media` measured for receivers' links. Ignores unknown receivers.
  mutating func reportDownlink(
    _ reports: [DownlinkReport], at now: ContinuousClock.Instant
  ) -> [TileEffect] {
    var changes = TileBoardChanges()
    for report in reports {
      guard let index = sessions.index(of: report.session) else { continue }
      if sessions[index].report(report, at: now) { changes.rebudgeted.append(index) }
    }
    return conclude(changes)
  }

  /// Processes the states that `media` measured for publishers' layers. Ignores unknown sources and
  /// layers.
  mutating func reportTracks(
    _ reports: [SourceLayerReport], at now: ContinuousClock.Instant
  ) -> [TileEffect] {
    var changes = TileBoardChanges()
    for report in reports {
      guard let index = boardSources.firstIndex(where: { $0.tile == report.tile }) else { continue }
      if boardSources[index].measure(report, at: now, memory: rules.excessMemory) {
        changes.concernsAll = true
      }
    }
    return conclude(changes)
  }

  /// The time at which ``advance(to:)`` is due next; `nil` if no timer is pending.
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

  /// Returns the time at which the board will drop an absent session.
  private func end(of session: TileBoardSession) -> ContinuousClock.Instant? {
    session.contact.end(
      dropAfter: rules.timing.dropAfter, gatewayGrace: rules.timing.gatewayGrace)
  }

  /// Carries out the work that is due: drops sessions that were absent for too long, and raises the
  /// budgets of links whose bandwidth has been higher for long enough.
  mutating func advance(to now: ContinuousClock.Instant) -> [TileEffect] {
    if isRecovering { return [] }
    var changes = TileBoardChanges()
    let gone = sessions.indices.filter { end(of: sessions[$0]).map { $0 <= now } ?? false }
    for session in gone.map({ sessions[$0].id }) { remove(session, at: now, changes: &changes) }
    // The rest of this method adds and removes no sessions, so the indices of the sessions do not
    // change.
    for index in sessions.indices where sessions[index].advance(to: now) {
      changes.rebudgeted.append(index)
    }
    for index in boardSources.indices
    where boardSources[index].advance(to: now, silence: rules.silence) {
      changes.concernsAll = true
    }
    return conclude(changes)
  }

  /// The time at which the owner may forget the meeting without a loss; `nil` while the owner must
  /// keep the meeting.
  var forgettableAt: ContinuousClock.Instant? {
    switch phase {
    case .recovering: nil
    case .settled: emptySince.map { $0 + rules.emptyMeetingRetention }
    case .ended(let moment): moment + rules.endedMeetingRetention
    }
  }

  /// Ends recovery. The caller waits until all gateways have announced their sessions, or until a
  /// timeout.
  ///
  /// After recovery, the board makes decisions and publishes changes.
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
    codecs = sessions.commonCodecs
    let waited = held
    held = []
    return waited + advance(to: now)
  }
}
