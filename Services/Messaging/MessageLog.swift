import MeetingModel
import Storage

/// The data messages of one meeting: one order, from sequence 1 on without gaps.
///
/// A value without clock, socket or file: times go in, in milliseconds since 1970-01-01T00:00:00Z.
/// What it accepts has its place at once and counts when it is stored: ``takeChange()`` says what
/// to store, then ``confirm(_:)`` or ``rollBack(_:)`` follows. Readers see what is stored.
///
/// Every message stays for the resume window, for those who were present when it came. Beyond that
/// late joiners get those with a lifetime until it is over, and of them the newest so many.
struct MessageLog: Sendable {
  let rules: MessagingRules

  /// What is known of the log beside its messages, with what is not stored yet.
  private(set) var state: StoredLogState

  /// The last message that is stored.
  private(set) var storedSequence: UInt64

  /// Whether the store knows this log.
  private(set) var isStored: Bool

  /// Ascending by sequence.
  private(set) var messages: [StoredMessage]

  private(set) var sessions: [SessionID: StoredSession]

  /// What late joiners get, ascending; some of it may have expired.
  private var kept: [KeptPlace] = []

  /// Nothing of it expires before.
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

  /// What makes two attempts the same message.
  private struct RepeatKey: Hashable {
    let sender: ParticipantID?
    let key: String

    /// `nil` for a message without a key.
    init?(_ sender: ParticipantIdentity?, _ key: String) {
      guard !key.isEmpty else { return nil }
      (self.sender, self.key) = (sender?.id, key)
    }
  }

  /// What is to be stored beside new messages.
  private struct Pending {
    var isTouched = false
    var pruned: [UInt64] = []
    var joined: [StoredSession] = []
    var left: [SessionID] = []

    var isEmpty: Bool { !isTouched && pruned.isEmpty && joined.isEmpty && left.isEmpty }
  }

  /// A new log.
  ///
  /// - Parameter epoch: Not that of any log the meeting had before.
  init(rules: MessagingRules, epoch: UInt64, at now: UInt64) {
    self.init(
      rules: rules, restoring: StoredLog(state: StoredLogState(epoch: epoch, touchedAtMs: now)),
      at: now)
    isStored = false
    pending.isTouched = true
  }

  /// A log as it was stored.
  init(rules: MessagingRules, restoring stored: StoredLog, at now: UInt64) {
    self.rules = rules
    state = stored.state
    storedSequence = stored.state.lastSequence
    isStored = true
    messages = stored.messages
    sessions = Dictionary(stored.sessions.map { ($0.id, $0) }) { $1 }
    rate = TokenBucket(rules.rate, at: now)
    meetingFlood = TokenBucket(rules.meetingFlood, at: now)
    for message in messages {
      if let key = RepeatKey(message.sender, message.idempotencyKey) {
        repeats[key] = message.sequence
      }
      if isKept(message), !message.hasExpired(at: now) { keep(message, at: now) }
      nextPruning = min(nextPruning, retentionEnd(of: message))
    }
  }

  /// Whether there is anything to store.
  var hasChange: Bool { !pending.isEmpty || state.lastSequence > storedSequence }

  /// How many messages late joiners get, at most.
  var keptCount: Int { kept.count }

  // MARK: Sending

  /// Gives a message its place, unless it has one or there are too many.
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
    messages.append(message)
    if let key { repeats[key] = message.sequence }
    if message.lifetimeMs > 0 { keep(message, at: now) }
    nextPruning = min(nextPruning, retentionEnd(of: message))
    return .accepted(message)
  }

  /// Services are trusted not to flood; the soft limit holds for them too.
  private mutating func countAttempt(
    of origin: MessageOrigin, at now: UInt64
  ) throws(MessagingError) {
    guard case .client(_, let sender) = origin else { return }
    let full = TokenBucket(rules.attendeeFlood, at: now)
    let isAttendeeFlooding =
      attendeeFloods[sender.id.attendee, default: full].take(at: now) != nil
    if isAttendeeFlooding || meetingFlood.take(at: now) != nil { throw .flooding }
  }

  /// Makes room for a message among those that late joiners get.
  private mutating func keep(_ message: StoredMessage, at now: UInt64) {
    // Seldom: in a lively meeting there never is room, and messages come often.
    if kept.count >= rules.maxKept, nextExpiry <= now {
      kept.removeAll { $0.expiresAtMs <= now }
      nextExpiry = kept.lazy.map(\.expiresAtMs).min() ?? .max
    }
    while kept.count >= rules.maxKept { state.keptAfter = kept.removeFirst().sequence }
    kept.append(KeptPlace(sequence: message.sequence, expiresAtMs: message.expiresAtMs))
    nextExpiry = min(nextExpiry, message.expiresAtMs)
  }

  // MARK: Sessions

  /// A session begins to read. One that is known keeps its place.
  mutating func join(_ session: SessionID, as participant: ParticipantID, at now: UInt64) {
    guard sessions[session]?.participant != participant else { return }
    if sessions.count >= rules.maxSessions { forgetOldestSession() }
    let joined = StoredSession(
      id: session, participant: participant, presentAfter: state.lastSequence)
    sessions[session] = joined
    state.touchedAtMs = max(state.touchedAtMs, now)
    pending.joined.append(joined)
    pending.left.removeAll { $0 == session }
  }

  /// A session is over for good. Nothing happens if it is not known.
  mutating func leave(_ session: SessionID) {
    if sessions.removeValue(forKey: session) != nil { pending.left.append(session) }
  }

  private mutating func forgetOldestSession() {
    let oldest = sessions.values.min { $0.presentAfter < $1.presentAfter }
    if let oldest { leave(oldest.id) }
  }

  // MARK: Storing

  /// What is to be stored now; `nil` if nothing is. Its fate must be known before the next one.
  mutating func takeChange() -> LogChange? {
    guard hasChange else { return nil }
    var change = LogChange(previousSequence: storedSequence, state: state)
    change.appended = Array(messages[firstIndex(after: storedSequence)...])
    (change.pruned, change.joined, change.left) = (pending.pruned, pending.joined, pending.left)
    pending = Pending()
    return change
  }

  /// A change is stored.
  mutating func confirm(_ change: LogChange) {
    storedSequence = change.state.lastSequence
    isStored = true
  }

  /// Storing failed: everything accepted that is not stored is void, and its senders are told so.
  /// What was to go from the store goes with the next change.
  ///
  /// - Parameter change: The one that failed, if one was under way.
  mutating func rollBack(_ change: LogChange?) {
    let firstVoid = firstIndex(after: storedSequence)
    for message in messages[firstVoid...] {
      if let key = RepeatKey(message.sender, message.idempotencyKey) { repeats[key] = nil }
    }
    messages.removeSubrange(firstVoid...)
    kept.removeAll { $0.sequence > storedSequence }
    state.lastSequence = storedSequence
    // The places behind are given anew; what was crowded out before them stays so.
    state.keptAfter = min(state.keptAfter, storedSequence)
    for joined in (change?.joined ?? []) + pending.joined { sessions[joined.id] = nil }
    pending.joined = []
    pending.pruned = (change?.pruned ?? []) + pending.pruned
    pending.left = (change?.left ?? []) + pending.left
    if !isStored { pending.isTouched = true }
  }

  // MARK: Time

  /// Lets go of what nobody may see any more.
  mutating func prune(at now: UInt64) {
    guard nextPruning <= now else { return }
    let pruned = messages.filter { $0.sequence <= storedSequence && retentionEnd(of: $0) <= now }
    let places = Set(pruned.map(\.sequence))
    messages.removeAll { places.contains($0.sequence) }
    nextPruning = messages.lazy.map(retentionEnd).min() ?? .max
    for message in pruned {
      if let key = RepeatKey(message.sender, message.idempotencyKey) { repeats[key] = nil }
      if !message.hasExpired(at: now) {
        state.lostThrough = max(state.lostThrough, message.sequence)
      }
      pending.pruned.append(message.sequence)
    }
    kept.removeAll { $0.expiresAtMs <= now }
    attendeeFloods = attendeeFloods.filter { !$0.value.isFull(at: now) }
  }

  private func retentionEnd(of message: StoredMessage) -> UInt64 {
    let window = message.acceptedAtMs + rules.resumeWindowMs
    return isKept(message) ? max(window, message.expiresAtMs) : window
  }

  // MARK: Places

  /// Whether newer messages have left it its room. It may have expired.
  func isKept(_ message: StoredMessage) -> Bool {
    message.lifetimeMs > 0 && message.sequence > state.keptAfter
  }

  /// Where the messages behind a place begin.
  func firstIndex(after sequence: UInt64) -> Int {
    var (low, high) = (0, messages.count)
    while low < high {
      let middle = (low + high) / 2
      if messages[middle].sequence > sequence { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func find(_ sequence: UInt64) -> StoredMessage? {
    let index = firstIndex(after: sequence) - 1
    return index >= 0 && messages[index].sequence == sequence ? messages[index] : nil
  }
}

extension StoredMessage {
  /// When late joiners get it no more.
  var expiresAtMs: UInt64 { acceptedAtMs + UInt64(lifetimeMs) }

  /// Whether its lifetime is over. A live-only message has none.
  func hasExpired(at now: UInt64) -> Bool { lifetimeMs > 0 && expiresAtMs <= now }
}
