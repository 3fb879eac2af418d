import MeetingModel
import Storage

/// The data messages of one meeting, in one order without gaps from sequence 1.
///
/// A value without clock, socket or file: times go in, in milliseconds since 1970-01-01T00:00:00Z.
/// An accepted message has its place at once, and is valid once it is stored: ``takeChange()``
/// returns what to store, then ``confirm(_:)`` or ``rollBack(_:)`` follows. Readers see stored
/// messages only.
///
/// Every message is kept for the resume window, for sessions that were present when it was sent.
/// After that late joiners get messages with a lifetime until they expire, up to a limit of the
/// newest. The log holds the place of each message; only the newest and the unstored ones are held
/// whole.
struct MessageLog: Sendable {
  let rules: MessagingRules

  /// The log's state beside its messages, including changes that are not stored yet.
  private(set) var state: StoredLogState

  /// The last stored message.
  private(set) var storedSequence: UInt64

  /// Whether the store has this log.
  private(set) var isStored: Bool

  /// The retained messages' places, ascending by sequence.
  private(set) var places: [MessagePlace]

  /// The newest messages, whole.
  private(set) var recent = RecentMessages()

  private(set) var sessions: [SessionID: StoredSession]

  /// The time at which each lost client's session leaves, unless it joins again.
  ///
  /// This is not stored: with another owner such sessions remain until the meeting ends or newer
  /// sessions need their room.
  private var lost: [SessionID: UInt64] = [:]

  /// The messages that late joiners get, ascending; some may have expired.
  private var kept: [KeptPlace] = []

  /// The time before which none of them expires.
  private var nextExpiry = UInt64.max
  private var repeats: [RepeatKey: UInt64] = [:]
  private var rate: TokenBucket
  private var meetingFlood: TokenBucket
  private var attendeeFloods: [AttendeeID: TokenBucket] = [:]
  private var pending = Pending()
  private var nextPruning = UInt64.max

  private struct KeptPlace: Hashable {
    let sequence: UInt64
    let expiresAtMs: UInt64
  }

  /// Changes to store beside new messages.
  private struct Pending {
    var isTouched = false
    var pruned: [UInt64] = []
    var joined: [StoredSession] = []
    var left: [SessionID] = []

    var isEmpty: Bool { !isTouched && pruned.isEmpty && joined.isEmpty && left.isEmpty }
  }

  /// Creates a new log.
  ///
  /// - Parameter epoch: An epoch that no earlier log of the meeting had.
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
    places = stored.messages.map { MessagePlace($0) }
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

  /// Whether there are changes to store.
  var hasChange: Bool { !pending.isEmpty || state.lastSequence > storedSequence }

  /// The number of messages for late joiners, including some that may have expired.
  var keptCount: Int { kept.count }

  // MARK: Sending

  /// Assigns a message its place, unless it is a repeat or exceeds the limits.
  ///
  /// - Throws: ``MessagingError/unknownSession``, ``MessagingError/flooding``.
  mutating func append(
    _ draft: MessageDraft, at now: UInt64
  ) throws(MessagingError) -> AppendOutcome {
    if case .client(let session, _) = draft.origin, sessions[session] == nil {
      throw .unknownSession
    }
    let sender = draft.origin.sender
    let key = RepeatKey(sender, draft.idempotencyKey)
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
    let place = MessagePlace(message, key: key)
    places.append(place)
    recent.append(message)
    if let key { repeats[key] = place.sequence }
    if place.lifetimeMs > 0 { keep(place, at: now) }
    nextPruning = min(nextPruning, retentionEnd(of: place))
    return .accepted(message)
  }

  /// Counts an attempt against the hard limits.
  ///
  /// Services are exempt from these, but not from the soft limit.
  private mutating func countAttempt(
    of origin: MessageOrigin, at now: UInt64
  ) throws(MessagingError) {
    guard case .client(_, let sender) = origin else { return }
    let full = TokenBucket(rules.attendeeFlood, at: now)
    let isAttendeeFlooding =
      attendeeFloods[sender.id.attendee, default: full].take(at: now) != nil
    if isAttendeeFlooding || meetingFlood.take(at: now) != nil { throw .flooding }
  }

  /// Adds a message to those for late joiners, and drops the oldest if there is no room.
  private mutating func keep(_ place: MessagePlace, at now: UInt64) {
    // Rarely done: in a busy meeting there is never room, and messages are frequent.
    if kept.count >= rules.maxKept, nextExpiry <= now {
      kept.removeAll { $0.expiresAtMs <= now }
      nextExpiry = kept.lazy.map(\.expiresAtMs).min() ?? .max
    }
    while kept.count >= rules.maxKept { state.keptAfter = kept.removeFirst().sequence }
    kept.append(KeptPlace(sequence: place.sequence, expiresAtMs: place.expiresAtMs))
    nextExpiry = min(nextExpiry, place.expiresAtMs)
  }

  // MARK: Sessions

  /// Adds a session that begins to read; a known one keeps its place.
  mutating func join(_ session: SessionID, as participant: ParticipantID, at now: UInt64) {
    lost[session] = nil
    guard sessions[session]?.participant != participant else { return }
    if sessions.count >= rules.maxSessions { forgetOldestSession() }
    let joined = StoredSession(
      id: session, participant: participant, presentAfter: state.lastSequence)
    sessions[session] = joined
    state.touchedAtMs = max(state.touchedAtMs, now)
    pending.joined.append(joined)
    pending.left.removeAll { $0 == session }
  }

  /// Removes a session that is over; an unknown one is ignored.
  mutating func leave(_ session: SessionID) {
    lost[session] = nil
    if sessions.removeValue(forKey: session) != nil { pending.left.append(session) }
  }

  /// Marks a session whose client is lost.
  ///
  /// The session leaves after the resume window unless it joins again; an unknown one is ignored.
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
  /// Confirm or roll back each before the next.
  mutating func takeChange() -> LogChange? {
    guard hasChange else { return nil }
    var change = LogChange(previousSequence: storedSequence, state: state)
    change.appended = recent.all(after: storedSequence)
    (change.pruned, change.joined, change.left) = (pending.pruned, pending.joined, pending.left)
    pending = Pending()
    return change
  }

  /// Records that a change is stored.
  mutating func confirm(_ change: LogChange) {
    storedSequence = change.state.lastSequence
    isStored = true
    recent.trim(to: rules.recent, through: storedSequence)
  }

  /// Discards everything accepted that is not stored; its senders get an error.
  ///
  /// Deletions from the store are repeated with the next change.
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
    // The later sequences are assigned again. Messages that were displaced earlier stay displaced.
    state.keptAfter = min(state.keptAfter, storedSequence)
    for joined in (change?.joined ?? []) + pending.joined { sessions[joined.id] = nil }
    pending.joined = []
    pending.pruned = (change?.pruned ?? []) + pending.pruned
    pending.left = (change?.left ?? []) + pending.left
    if !isStored { pending.isTouched = true }
  }

  // MARK: Time

  /// Removes messages that nobody may see any more.
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

  /// Removes messages whatever their lifetime, because their sender is erased.
  ///
  /// - Parameter sequences: The sequences of stored messages.
  mutating func erase(_ sequences: Set<UInt64>) {
    let erased = places.filter { sequences.contains($0.sequence) }
    places.removeAll { sequences.contains($0.sequence) }
    recent.removeAll(in: sequences)
    kept.removeAll { sequences.contains($0.sequence) }
    for key in erased.compactMap(\.key) { repeats[key] = nil }
    pending.pruned += erased.map(\.sequence)
  }

  private func retentionEnd(of place: MessagePlace) -> UInt64 {
    let window = place.acceptedAtMs + rules.resumeWindowMs
    return isKept(place) ? max(window, place.expiresAtMs) : window
  }

  // MARK: Places

  /// Returns whether newer messages have not displaced it from those for late joiners; it may have
  /// expired.
  func isKept(_ place: MessagePlace) -> Bool {
    place.lifetimeMs > 0 && place.sequence > state.keptAfter
  }

  /// Returns the index of the first place after a sequence.
  func firstIndex(after sequence: UInt64) -> Int { places.firstIndex(after: sequence) }

  private func find(_ sequence: UInt64) -> MessagePlace? { places.at(sequence) }
}
