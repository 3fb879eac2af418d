import MeetingModel
import Storage

/// The data messages of one meeting, in one order without gaps, from sequence 1.
///
/// The log is a value, and uses no clock, socket or file. Callers pass in times, in milliseconds
/// since 1970-01-01T00:00:00Z. An accepted message gets its place immediately. The place becomes
/// valid when the store has stored the message. ``takeChange()`` returns the changes to store. Then
/// the caller calls ``confirm(_:)`` or ``rollBack(_:)``. Readers see only stored messages.
///
/// During the resume window, the log keeps every message, for the sessions that were present when
/// the message arrived. After that window, the log keeps only messages for late joiners: the newest
/// messages that have a lifetime and have not expired, up to a limit. The log contains the place of
/// each message. It contains the whole message only for the newest and the unstored messages.
struct MessageLog: Sendable {
  let rules: MessagingRules

  /// The log's state without its messages, including changes that the store does not contain yet.
  private(set) var state: StoredLogState

  /// The sequence of the last stored message.
  private(set) var storedSequence: UInt64

  /// Whether the store contains this log.
  private(set) var isStored: Bool

  /// The places of the retained messages, ascending by sequence.
  private(set) var places: [StoredMessageSummary]

  /// The newest messages, with their payloads.
  private(set) var recent = RecentMessages()

  private(set) var sessions: [SessionID: StoredLogReader]

  /// For each session that has lost its client, the time at which the session leaves unless it
  /// joins again.
  ///
  /// The store does not contain these times. So after a change of the owner, the sessions of lost
  /// clients remain until the meeting ends, or until newer sessions replace them.
  private var lost: [SessionID: UInt64] = [:]

  /// The messages for late joiners, ascending by sequence. Some of them may have expired.
  private var kept: [KeptMessage] = []

  /// The time before which no message in ``kept`` expires.
  private var nextExpiry = UInt64.max
  private var repeats: [DeduplicationKey: UInt64] = [:]
  private var rate: TokenBucket
  private var meetingFlood: TokenBucket
  private var attendeeFloods: [AttendeeID: TokenBucket] = [:]
  private var pending = Pending()
  private var nextPruning = UInt64.max

  private struct KeptMessage: Hashable {
    let sequence: UInt64
    let expiresAtMs: UInt64
  }

  /// The changes to store, except new messages.
  private struct Pending {
    var isTouched = false
    var pruned: [UInt64] = []
    var joined: [StoredLogReader] = []
    var left: [SessionID] = []

    var isEmpty: Bool { !isTouched && pruned.isEmpty && joined.isEmpty && left.isEmpty }
  }

  /// Creates a new log.
  ///
  /// - Parameter epoch: An epoch that no earlier log of the meeting has had.
  init(rules: MessagingRules, epoch: UInt64, at now: UInt64) {
    self.init(
      rules: rules, restoring: StoredLog(state: StoredLogState(epoch: epoch, touchedAtMs: now)),
      at: now)
    isStored = false
    pending.isTouched = true
  }

  /// Restores a stored log.
  init(rules: MessagingRules, restoring stored: StoredLog, at now: UInt64) {
    self.rules = rules
    state = stored.state
    storedSequence = stored.state.lastSequence
    isStored = true
    places = stored.messages.map { StoredMessageSummary($0) }
    sessions = Dictionary(stored.sessions.map { ($0.id, $0) }) { $1 }
    rate = TokenBucket(rules.rate, at: now)
    meetingFlood = TokenBucket(rules.meetingFlood, at: now)
    for message in stored.messages { recent.append(message) }
    recent.trim(to: rules.recent, through: storedSequence)
    for place in places {
      if let key = place.key { repeats[key] = place.sequence }
      if isKept(place), !place.hasExpired(at: now) { keep(place, at: now) }
      nextPruning = min(nextPruning, retentionEnd(of: place))
    }
  }

  /// Whether the log has changes to store.
  var hasChange: Bool { !pending.isEmpty || state.lastSequence > storedSequence }

  /// The number of messages for late joiners, including some that may have expired.
  var keptCount: Int { kept.count }

  // MARK: Sending

  /// Assigns a place to a message. A repeat keeps its earlier place, and a message beyond the soft
  /// limit gets no place.
  ///
  /// - Throws: ``MessagingError/unknownSession`` or ``MessagingError/flooding``.
  mutating func append(
    _ draft: MessageDraft, at now: UInt64
  ) throws(MessagingError) -> AppendOutcome {
    if case .client(let session, _) = draft.origin, sessions[session] == nil {
      throw .unknownSession
    }
    let sender = draft.origin.sender
    let key = DeduplicationKey(sender, draft.idempotencyKey)
    if let key, let first = repeats[key].flatMap(find) { return .repeated(first) }
    try countAttempt(of: draft.origin, at: now)
    if let wait = rate.take(at: now) { return .throttled(retryAfter: UInt32(clamping: wait)) }
    state.lastSequence += 1
    state.lastAcceptedAtMs = max(state.lastAcceptedAtMs, now)
    state.touchedAtMs = max(state.touchedAtMs, now)
    let message = StoredMessage(
      sequence: state.lastSequence, acceptedAtMs: state.lastAcceptedAtMs,
      lifetimeMs: draft.lifetimeMs,
      topic: draft.topic, data: draft.data, sender: sender, recipients: draft.recipients,
      idempotencyKey: draft.idempotencyKey)
    let place = StoredMessageSummary(message, key: key)
    places.append(place)
    recent.append(message)
    if let key { repeats[key] = place.sequence }
    if place.lifetimeMs > 0 { keep(place, at: now) }
    nextPruning = min(nextPruning, retentionEnd(of: place))
    return .accepted(message)
  }

  /// Counts an attempt to send against the hard limits.
  ///
  /// The hard limits do not apply to services, but the soft limit does.
  private mutating func countAttempt(
    of origin: MessageOrigin, at now: UInt64
  ) throws(MessagingError) {
    guard case .client(_, let sender) = origin else { return }
    let full = TokenBucket(rules.attendeeFlood, at: now)
    let isAttendeeFlooding =
      attendeeFloods[sender.id.attendee, default: full].take(at: now) != nil
    if isAttendeeFlooding || meetingFlood.take(at: now) != nil { throw .flooding }
  }

  /// Adds a message to the messages for late joiners. If there is no room, drops the oldest of
  /// these messages.
  private mutating func keep(_ place: StoredMessageSummary, at now: UInt64) {
    // A scan costs time, and messages are frequent, so the scan runs only after a message has
    // expired.
    if kept.count >= rules.maxKept, nextExpiry <= now {
      kept.removeAll { $0.expiresAtMs <= now }
      nextExpiry = kept.lazy.map(\.expiresAtMs).min() ?? .max
    }
    while kept.count >= rules.maxKept { state.keptAfter = kept.removeFirst().sequence }
    kept.append(KeptMessage(sequence: place.sequence, expiresAtMs: place.expiresAtMs))
    nextExpiry = min(nextExpiry, place.expiresAtMs)
  }

  // MARK: Sessions

  /// Adds a session that begins to read. If the session already reads, its position does not
  /// change.
  mutating func join(_ session: SessionID, as participant: ParticipantID, at now: UInt64) {
    lost[session] = nil
    guard sessions[session]?.participant != participant else { return }
    if sessions.count >= rules.maxSessions { forgetOldestSession() }
    let joined = StoredLogReader(
      id: session, participant: participant, presentAfter: state.lastSequence)
    sessions[session] = joined
    state.touchedAtMs = max(state.touchedAtMs, now)
    pending.joined.append(joined)
    pending.left.removeAll { $0 == session }
  }

  /// Removes a session that has ended. Ignores an unknown session.
  mutating func leave(_ session: SessionID) {
    lost[session] = nil
    if sessions.removeValue(forKey: session) != nil { pending.left.append(session) }
  }

  /// Records that a session has lost its client.
  ///
  /// Unless the session joins again, it leaves after the resume window. Ignores an unknown session.
  mutating func lose(_ session: SessionID, at now: UInt64) {
    guard sessions[session] != nil, lost[session] == nil else { return }
    let end = now + rules.resumeWindowMs
    lost[session] = end
    nextPruning = min(nextPruning, end)
  }

  private mutating func forgetOldestSession() {
    let oldest = sessions.values.min { $0.presentAfter < $1.presentAfter }
    if let oldest { leave(oldest.id) }
  }

  // MARK: Storing

  /// Returns the changes to store; `nil` if there are none.
  ///
  /// The caller confirms or rolls back each change before the next call.
  mutating func takeChange() -> LogChange? {
    guard hasChange else { return nil }
    var change = LogChange(previousSequence: storedSequence, state: state)
    change.appended = recent.all(after: storedSequence)
    (change.pruned, change.joined, change.left) = (pending.pruned, pending.joined, pending.left)
    pending = Pending()
    return change
  }

  /// Records that the store contains a change.
  mutating func confirm(_ change: LogChange) {
    storedSequence = change.state.lastSequence
    isStored = true
    recent.trim(to: rules.recent, through: storedSequence)
  }

  /// Discards all accepted changes that the store does not contain. The senders of unstored
  /// messages get an error.
  ///
  /// The next change repeats the deletions of the failed change.
  ///
  /// - Parameter change: The change that failed, if one was in progress.
  mutating func rollBack(_ change: LogChange?) {
    let firstVoid = firstIndex(after: storedSequence)
    for place in places[firstVoid...] {
      if let key = place.key { repeats[key] = nil }
    }
    places.removeSubrange(firstVoid...)
    recent.removeAll(after: storedSequence)
    kept.removeAll { $0.sequence > storedSequence }
    state.lastSequence = storedSequence
    // The next messages get the sequence numbers of the discarded messages. If a discarded message
    // displaced an older message from the kept messages, the log does not restore the older
    // message.
    state.keptAfter = min(state.keptAfter, storedSequence)
    for joined in (change?.joined ?? []) + pending.joined { sessions[joined.id] = nil }
    pending.joined = []
    pending.pruned = (change?.pruned ?? []) + pending.pruned
    pending.left = (change?.left ?? []) + pending.left
    if !isStored { pending.isTouched = true }
  }

  // MARK: Time

  /// Removes messages that no reader may see any more.
  mutating func prune(at now: UInt64) {
    guard nextPruning <= now else { return }
    let pruned = places.filter { $0.sequence <= storedSequence && retentionEnd(of: $0) <= now }
    let sequences = Set(pruned.map(\.sequence))
    places.removeAll { sequences.contains($0.sequence) }
    recent.removeAll(in: sequences)
    for (session, end) in lost where end <= now { leave(session) }
    nextPruning = min(places.lazy.map(retentionEnd).min() ?? .max, lost.values.min() ?? .max)
    for place in pruned {
      if let key = place.key { repeats[key] = nil }
      if !place.hasExpired(at: now) {
        state.lostThrough = max(state.lostThrough, place.sequence)
      }
      pending.pruned.append(place.sequence)
    }
    kept.removeAll { $0.expiresAtMs <= now }
    attendeeFloods = attendeeFloods.filter { !$0.value.isFull(at: now) }
  }

  /// Removes messages regardless of their lifetime, because an operator erases the data of the
  /// messages' sender.
  ///
  /// - Parameter sequences: The sequences of the stored messages to remove.
  mutating func erase(_ sequences: Set<UInt64>) {
    let erased = places.filter { sequences.contains($0.sequence) }
    places.removeAll { sequences.contains($0.sequence) }
    recent.removeAll(in: sequences)
    kept.removeAll { sequences.contains($0.sequence) }
    for key in erased.compactMap(\.key) { repeats[key] = nil }
    pending.pruned += erased.map(\.sequence)
  }

  private func retentionEnd(of place: StoredMessageSummary) -> UInt64 {
    let window = place.acceptedAtMs + rules.resumeWindowMs
    return isKept(place) ? max(window, place.expiresAtMs) : window
  }

  // MARK: Places

  /// Returns whether the message is still among the messages for late joiners. The message may have
  /// expired.
  func isKept(_ place: StoredMessageSummary) -> Bool {
    place.lifetimeMs > 0 && place.sequence > state.keptAfter
  }

  /// Returns the index of the first place after a sequence.
  func firstIndex(after sequence: UInt64) -> Int { places.firstIndex(after: sequence) }

  private func find(_ sequence: UInt64) -> StoredMessageSummary? { places.at(sequence) }
}
