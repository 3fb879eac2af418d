import MeetingModel
import Storage

/// The data messages of one meeting: one order, from sequence 1 on without gaps.
///
/// A value without clock, socket or file: times go in, in milliseconds since 1970-01-01T00:00:00Z.
/// What it accepts has its place at once and counts when it is stored: ``takeChange()`` says what
/// to store, then ``confirm(_:)`` or ``rollBack(_:)`` follows. Readers see what is stored.
///
/// Every message stays for the resume window, for those who were present when it came. Beyond that
/// late joiners get those with a lifetime until it is over, and of them the newest so many. What it
/// decides by stays here of each of them; whole are only the newest, and those not stored yet.
struct MessageLog: Sendable {
  let rules: MessagingRules

  /// What is known of the log beside its messages, with what is not stored yet.
  private(set) var state: StoredLogState

  /// The last message that is stored.
  private(set) var storedSequence: UInt64

  /// Whether the store knows this log.
  private(set) var isStored: Bool

  /// What stays, ascending by sequence.
  private(set) var places: [MessagePlace]

  /// The newest of them, whole.
  private(set) var recent = RecentMessages()

  private(set) var sessions: [SessionID: StoredSession]

  /// When those have left whose clients were lost, unless they join again. It is not stored: with
  /// another owner they stay until the meeting ends, or newer ones need their room.
  private var lost: [SessionID: UInt64] = [:]

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
    let place = MessagePlace(message, key: key)
    places.append(place)
    recent.append(message)
    if let key { repeats[key] = place.sequence }
    if place.lifetimeMs > 0 { keep(place, at: now) }
    nextPruning = min(nextPruning, retentionEnd(of: place))
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
  private mutating func keep(_ place: MessagePlace, at now: UInt64) {
    // Seldom: in a lively meeting there never is room, and messages come often.
    if kept.count >= rules.maxKept, nextExpiry <= now {
      kept.removeAll { $0.expiresAtMs <= now }
      nextExpiry = kept.lazy.map(\.expiresAtMs).min() ?? .max
    }
    while kept.count >= rules.maxKept { state.keptAfter = kept.removeFirst().sequence }
    kept.append(KeptPlace(sequence: place.sequence, expiresAtMs: place.expiresAtMs))
    nextExpiry = min(nextExpiry, place.expiresAtMs)
  }

  // MARK: Sessions

  /// A session begins to read. One that is known keeps its place.
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

  /// A session is over for good. Nothing happens if it is not known.
  mutating func leave(_ session: SessionID) {
    lost[session] = nil
    if sessions.removeValue(forKey: session) != nil { pending.left.append(session) }
  }

  /// A session's client is lost: it has left when nothing is kept any more that only those get who
  /// were present, unless it joins again by then. Nothing happens if it is not known.
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

  /// What is to be stored now; `nil` if nothing is. Its fate must be known before the next one.
  mutating func takeChange() -> LogChange? {
    guard hasChange else { return nil }
    var change = LogChange(previousSequence: storedSequence, state: state)
    change.appended = recent.all(after: storedSequence)
    (change.pruned, change.joined, change.left) = (pending.pruned, pending.joined, pending.left)
    pending = Pending()
    return change
  }

  /// A change is stored.
  mutating func confirm(_ change: LogChange) {
    storedSequence = change.state.lastSequence
    isStored = true
    recent.trim(to: rules.recent, through: storedSequence)
  }

  /// Storing failed: everything accepted that is not stored is void, and its senders are told so.
  /// What was to go from the store goes with the next change.
  ///
  /// - Parameter change: The one that failed, if one was under way.
  mutating func rollBack(_ change: LogChange?) {
    let firstVoid = firstIndex(after: storedSequence)
    for place in places[firstVoid...] {
      if let key = place.key { repeats[key] = nil }
    }
    places.removeSubrange(firstVoid...)
    recent.removeAll(after: storedSequence)
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

  /// Lets go of messages whatever their lifetime: whoever sent them is to be forgotten.
  ///
  /// - Parameter sequences: Of messages that are stored.
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

  /// Whether newer messages have left it its room. It may have expired.
  func isKept(_ place: MessagePlace) -> Bool {
    place.lifetimeMs > 0 && place.sequence > state.keptAfter
  }

  /// Where the places behind a sequence begin.
  func firstIndex(after sequence: UInt64) -> Int { places.firstIndex(after: sequence) }

  private func find(_ sequence: UInt64) -> MessagePlace? { places.at(sequence) }
}
