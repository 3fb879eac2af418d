import MeetingModel
import Storage

/// The logs of all meetings of one messaging instance.
///
/// A value like ``MessageLog``. Whatever changes gathers until ``takeBatch()`` hands it over; when
/// the batch is stored, or was not, ``confirm(refusing:at:)`` or ``rollBack()``
/// says so, and only then comes
/// the next one.
struct MessageLogs: Sendable {
  let rules: MessagingRules

  private var logs: [MeetingID: MessageLog] = [:]

  /// Meetings that ended lately, and when.
  private var endings: [MeetingID: UInt64]

  /// Logs that may have something to store.
  private var changed: Set<MeetingID> = []
  private var pending = MessagesBatch()
  private var underWay: MessagesBatch?
  private var lastEpoch: UInt64 = 0

  /// The newest round of each session in which a message of it was refused for the moment.
  private var refusedRounds: [MeetingID: [SessionID: UInt64]] = [:]

  /// When logs were let go that others hold now. Their refused rounds stay a while.
  private var releases: [MeetingID: UInt64] = [:]

  /// Takes up what was stored. Times are milliseconds since 1970-01-01T00:00:00Z.
  init(rules: MessagingRules, restoring stored: StoredLogs = StoredLogs(), at now: UInt64) {
    self.rules = rules
    endings = stored.endings
    for (meeting, log) in stored.logs {
      let log = MessageLog(rules: rules, restoring: log, at: now)
      logs[meeting] = log
      lastEpoch = max(lastEpoch, log.state.epoch)
      if log.hasChange { changed.insert(meeting) }
    }
  }

  // MARK: What it knows

  var all: [MeetingID: MessageLog] { logs }

  /// The numbering of a meeting's log, if there is one.
  func epoch(of meeting: MeetingID) -> UInt64? { logs[meeting]?.state.epoch }

  /// Whether the store knows the meeting's log.
  func isStored(_ meeting: MeetingID) -> Bool { logs[meeting]?.isStored ?? false }

  /// Whether the meeting's log is here, or it is known that it has ended.
  func holds(_ meeting: MeetingID) -> Bool { logs[meeting] != nil || endings[meeting] != nil }

  /// Whether the meeting's log has something that is not stored.
  func isUnstored(_ meeting: MeetingID) -> Bool {
    logs[meeting]?.hasChange == true || underWay?.changes[meeting] != nil
  }

  /// Whether there is something to store that is not under way.
  var hasChange: Bool { !changed.isEmpty || !pending.isEmpty }

  // MARK: Claims

  /// What a log begins with that the store does not have: an epoch that none had before.
  mutating func beginning(at now: UInt64) -> StoredLogState {
    lastEpoch = max(lastEpoch + 1, now * 1_000)
    return StoredLogState(epoch: lastEpoch, touchedAtMs: now)
  }

  /// A log was claimed, and is this instance's from here on.
  mutating func takeUp(_ claimed: ClaimedLog, of meeting: MeetingID, at now: UInt64) {
    switch claimed {
    case .ended(let time):
      endings[meeting] = time
    case .held(let stored):
      guard endings[meeting] == nil else { return }  // It has ended meanwhile.
      releases[meeting] = nil
      lastEpoch = max(lastEpoch, stored.state.epoch)
      logs[meeting] = MessageLog(rules: rules, restoring: stored, at: now)
      noteChange(of: meeting)
    }
  }

  /// Another instance has the log, or will: what is here of it counts no more. What was refused of
  /// it must still not be overtaken.
  mutating func release(_ meeting: MeetingID, at now: UInt64) {
    logs[meeting] = nil
    changed.remove(meeting)
    releases[meeting] = now
  }

  // MARK: Requests

  /// Begins a meeting's log unless there is one.
  ///
  /// - Throws: ``MessagingError/meetingEnded``.
  mutating func open(_ meeting: MeetingID, at now: UInt64) throws(MessagingError) {
    guard endings[meeting] == nil else { throw .meetingEnded }
    guard logs[meeting] == nil else { return }
    // Microseconds, so that a log begun anew has another epoch than before.
    lastEpoch = max(lastEpoch + 1, now * 1_000)
    logs[meeting] = MessageLog(rules: rules, epoch: lastEpoch, at: now)
    changed.insert(meeting)
  }

  /// - Throws: ``MessagingError/meetingEnded``, ``MessagingError/unknownSession``,
  ///   ``MessagingError/overtaking``, ``MessagingError/flooding``.
  mutating func append(
    _ draft: MessageDraft, to meeting: MeetingID, at now: UInt64
  ) throws(MessagingError) -> AppendOutcome {
    guard endings[meeting] == nil else { throw .meetingEnded }
    switch draft.origin {
    case .client(let session, _):
      if logs[meeting] == nil { throw .unknownSession }
      try endRefusal(of: session, in: meeting, before: draft.round)
    case .service: try open(meeting, at: now)
    }
    defer { noteChange(of: meeting) }
    // In its place: by its key the log would be taken out and put back.
    guard let index = logs.index(forKey: meeting) else { throw .unknownSession }
    return try logs.values[index].append(draft, at: now)
  }

  /// A message was refused for the moment and will come again: what its session sent behind it, in
  /// the same round, must not overtake it.
  ///
  /// - Parameter round: `nil` for a service's message: nothing happens.
  mutating func noteRefusal(in round: SendingRound?, to meeting: MeetingID) {
    guard let round, logs[meeting] != nil || releases[meeting] != nil else { return }
    let refused = refusedRounds[meeting]?[round.session] ?? 0
    refusedRounds[meeting, default: [:]][round.session] = max(refused, round.number)
  }

  private mutating func endRefusal(
    of session: SessionID, in meeting: MeetingID, before round: UInt64
  ) throws(MessagingError) {
    guard let refused = refusedRounds[meeting]?[session] else { return }
    guard round > refused else { throw .overtaking }
    refusedRounds[meeting]?[session] = nil
  }

  /// - Throws: ``MessagingError/meetingEnded``.
  mutating func join(
    _ session: SessionID, as participant: ParticipantID, in meeting: MeetingID, at now: UInt64
  ) throws(MessagingError) {
    try open(meeting, at: now)
    logs[meeting]?.join(session, as: participant, at: now)
    noteChange(of: meeting)
  }

  /// Nothing happens if the session is not there.
  mutating func leave(_ session: SessionID, in meeting: MeetingID) {
    logs[meeting]?.leave(session)
    refusedRounds[meeting]?[session] = nil
    noteChange(of: meeting)
  }

  /// A session's client is lost. Nothing happens if the session is not there.
  mutating func lose(_ session: SessionID, in meeting: MeetingID, at now: UInt64) {
    logs[meeting]?.lose(session, at: now)
  }

  /// Lets go of stored messages of a meeting; nothing happens for those that are gone.
  mutating func erase(_ sequences: Set<UInt64>, of meeting: MeetingID) {
    logs[meeting]?.erase(sequences)
    noteChange(of: meeting)
  }

  /// Deletes a meeting's log, and remembers for a while that it ended.
  mutating func end(_ meeting: MeetingID, at now: UInt64) {
    guard endings[meeting] == nil else { return }
    endings[meeting] = now
    remove(meeting)
    pending.ended[meeting] = now
  }

  /// - Throws: ``MessagingError/meetingEnded``, also when nothing of the meeting is known.
  func beginReplay(
    _ query: ReplayQuery, of meeting: MeetingID
  ) throws(MessagingError) -> ReplayUnderWay {
    guard let log = logs[meeting] else { throw .meetingEnded }
    return log.beginReplay(query)
  }

  /// Goes on with a replay, from its beginning if the meeting's log was begun anew meanwhile.
  ///
  /// - Throws: ``MessagingError/meetingEnded``.
  func advance(
    _ underWay: inout ReplayUnderWay, of meeting: MeetingID, with page: StoredPage? = nil,
    at now: UInt64
  ) throws(MessagingError) -> ReplayStep {
    guard let log = logs[meeting] else { throw .meetingEnded }
    guard underWay.epoch == log.state.epoch else {
      underWay = log.beginReplay(underWay.query)
      return log.advance(&underWay, at: now)
    }
    return log.advance(&underWay, with: page, at: now)
  }

  private mutating func remove(_ meeting: MeetingID) {
    logs[meeting] = nil
    refusedRounds[meeting] = nil
    changed.remove(meeting)
  }

  private mutating func noteChange(of meeting: MeetingID) {
    if logs[meeting]?.hasChange == true { changed.insert(meeting) }
  }

  // MARK: Storing

  /// What is to be stored now; `nil` if nothing is. What it was to the last one must be said first.
  mutating func takeBatch() -> MessagesBatch? {
    precondition(underWay == nil, "Confirm a batch or roll it back before taking another.")
    for meeting in changed { pending.changes[meeting] = logs[meeting]?.takeChange() }
    changed = []
    guard !pending.isEmpty else { return nil }
    underWay = pending
    pending = MessagesBatch()
    return underWay
  }

  /// The batch is stored.
  ///
  /// - Parameter refused: The logs whose changes are not. They are what the store has of them from
  ///   here on: all that was accepted for them and is not there is void.
  mutating func confirm(refusing refused: [RefusedLog] = [], at now: UInt64) {
    var changes = underWay?.changes ?? [:]
    underWay = nil
    for log in refused {
      changes[log.meeting] = nil
      takeUp(log.found, of: log.meeting, at: now)
    }
    for (meeting, change) in changes { logs[meeting]?.confirm(change) }
  }

  private mutating func takeUp(_ stored: StoredLog?, of meeting: MeetingID, at now: UInt64) {
    guard let log = logs[meeting] else { return }  // It has ended meanwhile.
    changed.remove(meeting)
    // Another owner has claimed it.
    if log.state.term > 0, log.state.term != stored?.state.term {
      return release(meeting, at: now)
    }
    logs[meeting] = stored.map { MessageLog(rules: rules, restoring: $0, at: now) }
    lastEpoch = max(lastEpoch, stored?.state.epoch ?? 0)
    noteChange(of: meeting)
  }

  /// The batch is not stored, and all that was accepted since is void with it. Deletions are tried
  /// again with the next batch.
  mutating func rollBack() {
    for meeting in Set(underWay?.changes.keys.map(\.self) ?? []).union(changed) {
      logs[meeting]?.rollBack(underWay?.changes[meeting])
      noteChange(of: meeting)
    }
    pending.ended.merge(underWay?.ended ?? [:]) { new, _ in new }
    pending.forgotten.formUnion(underWay?.forgotten ?? [])
    underWay = nil
  }

  /// Longer than a gateway waits for an answer to a message.
  private static let releaseMemoryMs: UInt64 = 60_000

  // MARK: Time

  /// Lets go of what nobody may see any more, and of logs whose meetings must be over.
  mutating func prune(at now: UInt64) {
    for meeting in Array(logs.keys) {
      if (logs[meeting]?.state.touchedAtMs ?? now) + rules.idleRetentionMs <= now {
        remove(meeting)
        pending.forgotten.insert(meeting)
      } else {
        logs[meeting]?.prune(at: now)
        noteChange(of: meeting)
      }
    }
    for (meeting, time) in releases where time + Self.releaseMemoryMs <= now {
      releases[meeting] = nil
      if logs[meeting] == nil { refusedRounds[meeting] = nil }
    }
    for (meeting, time) in endings where time + rules.endingRetentionMs <= now {
      endings[meeting] = nil
      pending.forgotten.insert(meeting)
    }
  }
}
