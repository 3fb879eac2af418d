import MeetingModel

/// The knocks at locked meetings. A knock is a waiting person's request that a host admit this
/// person. The knock also contains the host's answer.
///
/// `presence` keeps an unanswered knock only while the page of the waiting person asks for the
/// answer. A host is present while the page of a host asks for knocks. Pages ask through any
/// gateway. After a restart of `presence`, the next requests of the pages restore the waiting
/// knocks and the presence of hosts. The answers of hosts are lost.
struct Knocks: Sendable {
  /// The limits of knocks.
  struct Rules: Hashable, Sendable {
    /// The maximum number of knocks of one meeting, including answered knocks.
    var mostOfMeeting = 32

    /// The maximum number of knocks from one address at one meeting, including answered knocks.
    var mostOfAddress = 8

    /// The maximum number of knocks of all meetings together. Also the maximum number of stored
    /// entries. More entries than this number replace the oldest entries.
    var most = 4_096

    /// An unanswered knock expires if the page of the waiting person does not ask for the answer
    /// within this time.
    var silence: Duration = .seconds(15)

    /// An unanswered knock expires after this time.
    var lifetime: Duration = .seconds(600)

    /// An answer is valid for this time. During this time, a denied knock counts against the limit
    /// of the person's address.
    var answer: Duration = .seconds(60)

    /// An entry is stored for this time. Until the person's ticket is older than ``lifetime``, the
    /// entry prevents a second use of the ticket. The time also exceeds ``lifetime``, because the
    /// clocks of gateways differ.
    var entry: Duration { lifetime + answer }

    /// A host is absent if no page of a host asks for knocks within this time.
    var hostSilence: Duration = .seconds(15)
  }

  /// A request of the page of a waiting person.
  struct Request: Hashable, Sendable {
    let id: KnockID
    let name: DisplayName
    let address: String

    /// The time since the person knocked.
    let age: Duration
  }

  /// One knock.
  struct Knock: Hashable, Sendable {
    /// What has happened to the knock.
    enum Progress: Hashable, Sendable {
      case waiting
      case answered(admits: Bool, at: ContinuousClock.Instant)
    }

    /// The id by which hosts identify the knock. This id grants no right to enter.
    let id: KnockID
    let name: DisplayName
    let address: String
    var openedAt: ContinuousClock.Instant
    var askedAt: ContinuousClock.Instant
    var progress = Progress.waiting
  }

  /// The knocks at one meeting, and the time of the last request of a host's page.
  private struct Door: Sendable {
    var knocks: [KnockID: Knock] = [:]
    var hostSeenAt: ContinuousClock.Instant?

    /// Returns a copy in which the last requests of all pages are later by `stall`.
    func excused(_ stall: Duration) -> Door {
      var door = self
      door.hostSeenAt = hostSeenAt.map { $0 + stall }
      door.knocks = knocks.mapValues { knock in
        var knock = knock
        knock.askedAt += stall
        return knock
      }
      return door
    }
  }

  /// The use of a knock.
  private struct Entry: Hashable, Sendable {
    /// The id that the gateway chose for this attempt to enter.
    let id: GUID
    let meeting: MeetingID

    /// The gateway has created no attendee, so the person may wait and enter again.
    var isReturned = false
  }

  private let rules: Rules
  private var doors: [MeetingID: Door] = [:]

  /// The last entry with each knock. Entries prevent a second entry with the same knock.
  private var entries: BoundedCache<KnockID, Entry>

  /// Until this time, a host may be present although no page of a host has asked this instance. The
  /// page may have asked another instance, or an earlier run of this instance.
  private var hostsUnknownUntil: ContinuousClock.Instant

  /// The time at which ``prune(_:at:)`` next removes the expired knocks of all meetings.
  private var sweepAt: ContinuousClock.Instant

  /// The number of stored knocks.
  private(set) var count = 0

  /// Creates a value without knocks, for a new run of `presence`.
  init(rules: Rules = Rules(), at now: ContinuousClock.Instant) {
    self.rules = rules
    entries = BoundedCache(limit: rules.most, retention: rules.entry)
    hostsUnknownUntil = now + rules.hostSilence
    sweepAt = now + rules.silence
  }

  // MARK: The page that knocks

  /// Adds a knock, or returns the state of a known knock.
  ///
  /// - Throws: ``PresenceError/noHost`` if no host is present to answer; this error removes the
  ///   knock. ``PresenceError/knocksFull`` if too many people knock. ``PresenceError/unknownKnock``
  ///   if the person has entered, or if the knock has no answer and is older than
  ///   ``Rules/lifetime``.
  mutating func ask(
    _ request: Request, at meeting: MeetingID, now: ContinuousClock.Instant
  ) throws(PresenceError) -> KnockState {
    prune(meeting, at: now)
    guard !hasEntered(request.id) else { throw .unknownKnock }
    guard var knock = doors[meeting]?.knocks[request.id] else {
      try add(request, at: meeting, now: now)
      return .waiting
    }
    knock.askedAt = now
    doors[meeting]?.knocks[request.id] = knock
    switch knock.progress {
    case .answered(let admits, _): return admits ? .admitted : .denied
    case .waiting:
      guard mayHaveHost(meeting, at: now) else {
        remove(request.id, at: meeting)
        throw .noHost
      }
      return .waiting
    }
  }

  private mutating func add(
    _ request: Request, at meeting: MeetingID, now: ContinuousClock.Instant
  ) throws(PresenceError) {
    guard request.age < rules.lifetime else { throw .unknownKnock }
    guard mayHaveHost(meeting, at: now) else { throw .noHost }
    let others = (doors[meeting]?.knocks ?? [:]).values
    guard count < rules.most, others.count < rules.mostOfMeeting,
      others.count(where: { $0.address == request.address }) < rules.mostOfAddress
    else { throw .knocksFull }
    doors[meeting, default: Door()].knocks[request.id] = Knock(
      id: request.id, name: request.name, address: request.address, openedAt: now - request.age,
      askedAt: now)
    count += 1
  }

  /// Records that the person enters the meeting. The same call again changes nothing.
  ///
  /// - Parameter entry: The id that the gateway chose for this attempt to enter.
  /// - Throws: ``PresenceError/unknownKnock`` if the person has entered with another entry, if a
  ///   host has denied the knock, or if the knock does not exist.
  mutating func take(
    _ id: KnockID, as entry: GUID, at meeting: MeetingID, now: ContinuousClock.Instant
  ) throws(PresenceError) {
    prune(meeting, at: now)
    let entry = Entry(id: entry, meeting: meeting)
    guard entries[id] != entry else { return }
    switch doors[meeting]?.knocks[id]?.progress {
    case .waiting?, .answered(admits: true, _)?:
      remove(id, at: meeting)
      entries.remember(entry, for: id, at: now)
    case .answered(admits: false, _)?, nil: throw .unknownKnock
    }
  }

  /// Ends an entry for which the gateway has created no attendee. The next request of the person's
  /// page adds the knock again, without the host's answer.
  ///
  /// Changes nothing if the last entry with this knock has another id.
  mutating func putBack(
    _ id: KnockID, as entry: GUID, at meeting: MeetingID, now: ContinuousClock.Instant
  ) {
    let entry = Entry(id: entry, meeting: meeting)
    guard entries[id] == entry else { return }
    entries.remember(Entry(id: entry.id, meeting: meeting, isReturned: true), for: id, at: now)
  }

  private func hasEntered(_ id: KnockID) -> Bool {
    entries[id].map { !$0.isReturned } ?? false
  }

  // MARK: Hosts

  /// Returns whether a host of a meeting is present.
  func hasHost(_ meeting: MeetingID, at now: ContinuousClock.Instant) -> Bool {
    doors[meeting]?.hostSeenAt.map { now - $0 < rules.hostSilence } ?? false
  }

  /// Returns the waiting knocks of a meeting, oldest first. Records that a host is present.
  mutating func list(_ meeting: MeetingID, at now: ContinuousClock.Instant) -> [Knock] {
    doors[meeting, default: Door()].hostSeenAt = now
    prune(meeting, at: now)
    return (doors[meeting]?.knocks ?? [:]).values.filter { $0.progress == .waiting }
      .sorted { ($0.openedAt, $0.id) < ($1.openedAt, $1.id) }
  }

  /// Admits or denies a waiting person. The same answer again changes nothing.
  ///
  /// - Throws: ``PresenceError/unknownKnock`` if no knock with this id waits at this meeting, or if
  ///   the knock has the other answer.
  mutating func answer(
    _ id: KnockID, at meeting: MeetingID, admits: Bool, now: ContinuousClock.Instant
  ) throws(PresenceError) {
    prune(meeting, at: now)
    switch doors[meeting]?.knocks[id]?.progress {
    case .waiting?: doors[meeting]?.knocks[id]?.progress = .answered(admits: admits, at: now)
    case .answered(admits, _)?: return
    case .answered?, nil: throw .unknownKnock
    }
  }

  // MARK: Owners

  /// Records that this instance may now own more meetings. The hosts of these meetings have asked
  /// another instance.
  mutating func gainMeetings(at now: ContinuousClock.Instant) {
    hostsUnknownUntil = now + rules.hostSilence
  }

  /// Removes the knocks and the hosts of an ended meeting.
  mutating func end(_ meeting: MeetingID) {
    count -= doors.removeValue(forKey: meeting)?.knocks.count ?? 0
  }

  /// Subtracts the duration of a stall of this process from every measured silence.
  mutating func excuseSilence(of stall: Duration) {
    hostsUnknownUntil += stall
    doors = doors.mapValues { $0.excused(stall) }
  }

  private func mayHaveHost(_ meeting: MeetingID, at now: ContinuousClock.Instant) -> Bool {
    hasHost(meeting, at: now) || now < hostsUnknownUntil
  }

  // MARK: Expiry

  /// Removes the expired knocks and the absent hosts of one meeting or, after ``sweepAt``, of all
  /// meetings.
  private mutating func prune(_ meeting: MeetingID, at now: ContinuousClock.Instant) {
    if now >= sweepAt { sweep(at: now) } else { pruneDoor(of: meeting, at: now) }
  }

  private mutating func sweep(at now: ContinuousClock.Instant) {
    sweepAt = now + rules.silence
    for meeting in Array(doors.keys) { pruneDoor(of: meeting, at: now) }
  }

  private mutating func pruneDoor(of meeting: MeetingID, at now: ContinuousClock.Instant) {
    guard var door = doors[meeting] else { return }
    let former = door.knocks.count
    door.knocks = door.knocks.filter { isAlive($0.value, now) }
    if let seen = door.hostSeenAt, now - seen >= rules.hostSilence { door.hostSeenAt = nil }
    count -= former - door.knocks.count
    doors[meeting] = door.knocks.isEmpty && door.hostSeenAt == nil ? nil : door
  }

  private mutating func remove(_ id: KnockID, at meeting: MeetingID) {
    if doors[meeting]?.knocks.removeValue(forKey: id) != nil { count -= 1 }
  }

  private func isAlive(_ knock: Knock, _ now: ContinuousClock.Instant) -> Bool {
    switch knock.progress {
    case .waiting:
      now - knock.askedAt < rules.silence && now - knock.openedAt < rules.lifetime
    case .answered(_, let time): now - time < rules.answer
    }
  }
}
