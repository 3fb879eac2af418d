import MeetingModel
import Storage

/// The logs of all meetings of one instance of `messaging`.
///
/// This is a value type, like ``MessageLog``. It collects changes until ``takeBatch()`` returns
/// them. Before the next batch, the caller must report the outcome to ``confirm(refusing:at:)`` or
/// ``rollBack()``.
struct MessageLogs: Sendable {
  let rules: MessagingRules

  private var logs: [MeetingID: MessageLog] = [:]

  /// The meetings that ended recently, each with the time of its end.
  private var endings: [MeetingID: UInt64]

  /// The meetings whose logs may have changes to store.
  private var changed: Set<MeetingID> = []
  private var pending = MessagesBatch()
  private var underWay: MessagesBatch?
  private var lastEpoch: UInt64 = 0

  /// For each session, the newest round in which this instance refused a message temporarily.
  private var refusedRounds: [MeetingID: [SessionID: UInt64]] = [:]

  /// The times at which this instance released logs to other instances.
  ///
  /// For ``releaseMemoryMs`` after the release of a log, the instance keeps the log's entry in
  /// ``refusedRounds``.
  private var releases: [MeetingID: UInt64] = [:]

  /// Restores stored logs.
  ///
  /// All times are in milliseconds since 1970-01-01T00:00:00Z.
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

  // MARK: State

  var all: [MeetingID: MessageLog] { logs }

  /// Returns the epoch of a meeting's log; `nil` if there is no log.
  func epoch(of meeting: MeetingID) -> UInt64? { logs[meeting]?.state.epoch }

  /// Returns whether the store contains the meeting's log.
  func isStored(_ meeting: MeetingID) -> Bool { logs[meeting]?.isStored ?? false }

  /// Returns whether this instance has the meeting's log, or knows that the meeting has ended.
  func holds(_ meeting: MeetingID) -> Bool { logs[meeting] != nil || endings[meeting] != nil }

  /// Returns whether the meeting's log has changes that the store does not contain yet.
  func isUnstored(_ meeting: MeetingID) -> Bool {
    logs[meeting]?.hasChange == true || underWay?.changes[meeting] != nil
  }

  /// Whether a log has changes to store that no batch contains yet.
  var hasChange: Bool { !changed.isEmpty || !pending.isEmpty }

  // MARK: Claims

  /// Returns the initial state, with an unused epoch, of a log that the store does not contain.
  mutating func beginning(at now: UInt64) -> StoredLogState {
    lastEpoch = max(lastEpoch + 1, now * 1_000)
    return StoredLogState(epoch: lastEpoch, touchedAtMs: now)
  }

  /// Adds a claimed log. This instance now owns the log.
  mutating func takeUp(_ claimed: LogClaimResult, of meeting: MeetingID, at now: UInt64) {
    switch claimed {
    case .ended(let time):
      endings[meeting] = time
    case .held(let stored):
      guard endings[meeting] == nil else { return }  // The meeting ended during the claim.
      releases[meeting] = nil
      lastEpoch = max(lastEpoch, stored.state.epoch)
      logs[meeting] = MessageLog(rules: rules, restoring: stored, at: now)
      noteChange(of: meeting)
    }
  }

  /// Drops a log that another instance owns or will own.
  ///
  /// Keeps the log's entry in ``refusedRounds`` for ``releaseMemoryMs``, so that later messages do
  /// not overtake refused messages.
  mutating func release(_ meeting: MeetingID, at now: UInt64) {
    logs[meeting] = nil
    changed.remove(meeting)
    releases[meeting] = now
  }

  // MARK: Requests

  /// Creates a meeting's log if there is none.
  ///
  /// - Throws: ``MessagingError/meetingEnded``.
  mutating func open(_ meeting: MeetingID, at now: UInt64) throws(MessagingError) {
    guard endings[meeting] == nil else { throw .meetingEnded }
    guard logs[meeting] == nil else { return }
    // The epoch is the time in microseconds, so a log has a new epoch after each creation.
    lastEpoch = max(lastEpoch + 1, now * 1_000)
    logs[meeting] = MessageLog(rules: rules, epoch: lastEpoch, at: now)
    changed.insert(meeting)
  }

  /// Appends a message to a meeting's log.
  ///
  /// - Throws: ``MessagingError/meetingEnded``, ``MessagingError/unknownSession``,
  ///   ``MessagingError/overtaking`` or ``MessagingError/flooding``.
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
    // Access by index changes the log in place. Access by key would remove the log and insert it
    // again.
    guard let index = logs.index(forKey: meeting) else { throw .unknownSession }
    return try logs.values[index].append(draft, at: now)
  }

  /// Records that this instance refused a message temporarily. The gateway will send the message
  /// again.
  ///
  /// Later messages of the same round must not overtake the refused message.
  ///
  /// - Parameter round: The round; `nil` for a message of a service. The method ignores `nil`.
  mutating func noteRefusal(in round: PipelinedMessageRun?, to meeting: MeetingID) {
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

  /// Adds a session that begins to read.
  ///
  /// - Throws: ``MessagingError/meetingEnded``.
  mutating func join(
    _ session: SessionID, as participant: ParticipantID, in meeting: MeetingID, at now: UInt64
  ) throws(MessagingError) {
    try open(meeting, at: now)
    logs[meeting]?.join(session, as: participant, at: now)
    noteChange(of: meeting)
  }

  /// Removes a session. Ignores an unknown session.
  mutating func leave(_ session: SessionID, in meeting: MeetingID) {
    logs[meeting]?.leave(session)
    refusedRounds[meeting]?[session] = nil
    noteChange(of: meeting)
  }

  /// Records that a session has lost its client. Ignores an unknown session.
  mutating func lose(_ session: SessionID, in meeting: MeetingID, at now: UInt64) {
    logs[meeting]?.lose(session, at: now)
  }

  /// Removes stored messages of a meeting. Ignores missing messages.
  mutating func erase(_ sequences: Set<UInt64>, of meeting: MeetingID) {
    logs[meeting]?.erase(sequences)
    noteChange(of: meeting)
  }

  /// Deletes the log of an ended meeting. Remembers the end for
  /// ``MessagingRules/endingRetentionMs``.
  mutating func end(_ meeting: MeetingID, at now: UInt64) {
    guard endings[meeting] == nil else { return }
    endings[meeting] = now
    remove(meeting)
    pending.ended[meeting] = now
  }

  /// Begins a replay.
  ///
  /// - Throws: ``MessagingError/meetingEnded`` for an ended or unknown meeting.
  func beginReplay(
    _ query: MessageReplayQuery, of meeting: MeetingID
  ) throws(MessagingError) -> ActiveReplay {
    guard let log = logs[meeting] else { throw .meetingEnded }
    return log.beginReplay(query)
  }

  /// Continues a replay. If the instance has created the meeting's log again since the last step,
  /// restarts the replay.
  ///
  /// - Throws: ``MessagingError/meetingEnded``.
  func advance(
    _ underWay: inout ActiveReplay, of meeting: MeetingID, with page: StoredPage? = nil,
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

  /// Returns the batch to store; `nil` if there are no changes.
  ///
  /// The caller first confirms or rolls back the previous batch.
  mutating func takeBatch() -> MessagesBatch? {
    precondition(underWay == nil, "Confirm a batch or roll it back before taking another.")
    for meeting in changed { pending.changes[meeting] = logs[meeting]?.takeChange() }
    changed = []
    guard !pending.isEmpty else { return nil }
    underWay = pending
    pending = MessagesBatch()
    return underWay
  }

  /// Records that the store contains the batch.
  ///
  /// - Parameter refused: The logs whose changes the store refused. These logs continue from their
  ///   state in the store. The method discards all later changes of these logs.
  mutating func confirm(refusing refused: [RejectedLogChange] = [], at now: UInt64) {
    var changes = underWay?.changes ?? [:]
    underWay = nil
    for log in refused {
      changes[log.meeting] = nil
      takeUp(log.found, of: log.meeting, at: now)
    }
    for (meeting, change) in changes { logs[meeting]?.confirm(change) }
  }

  private mutating func takeUp(_ stored: StoredLog?, of meeting: MeetingID, at now: UInt64) {
    guard let log = logs[meeting] else { return }  // The meeting ended during the write.
    changed.remove(meeting)
    // If the stored term differs from the term of this log, another owner has claimed the log.
    if log.state.term > 0, log.state.term != stored?.state.term {
      return release(meeting, at: now)
    }
    logs[meeting] = stored.map { MessageLog(rules: rules, restoring: $0, at: now) }
    lastEpoch = max(lastEpoch, stored?.state.epoch ?? 0)
    noteChange(of: meeting)
  }

  /// Discards a batch that the store could not store, and all changes after this batch.
  ///
  /// The next batch repeats the deletions of this batch.
  mutating func rollBack() {
    for meeting in Set(underWay?.changes.keys.map(\.self) ?? []).union(changed) {
      logs[meeting]?.rollBack(underWay?.changes[meeting])
      noteChange(of: meeting)
    }
    pending.ended.merge(underWay?.ended ?? [:]) { new, _ in new }
    pending.forgotten.formUnion(underWay?.forgotten ?? [])
    underWay = nil
  }

  /// How long this instance keeps entries of ``refusedRounds`` after the release of a log, in
  /// milliseconds. A gateway stops waiting for an answer before this time has passed.
  private static let releaseMemoryMs: UInt64 = 60_000

  // MARK: Time

  /// Removes messages that no reader may see any more, and logs that were unused for too long.
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
