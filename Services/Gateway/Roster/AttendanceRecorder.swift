import Bus
import MeetingModel
import Storage
import Wire

/// Keeps the meetings' records in the store up to date: adds the joins and departures that
/// `presence` reports.
///
/// Only the gateway's socket thread uses the recorder. The recorder collects changes for 200 ms,
/// and stores them together. The store keeps each event only once, even if several gateways report
/// the event, or if one gateway reports the event several times. The store reports gaps, and the
/// recorder requests the missing events from `presence`.
final class AttendanceRecorder {
  private unowned let part: PresenceServiceConnector
  private let context: GatewayContext

  /// The changes that are not in the store yet.
  private var gathered: [MeetingID: JoinLeaveHistory] = [:]

  /// The rosters from snapshots. The recorder stores the rosters before it stores the changes in
  /// ``gathered``.
  private var states: [MeetingID: RosterState] = [:]

  /// The number of changes in ``gathered``.
  private var count = 0

  /// The meetings whose records may have gaps, the most recently queried meetings last.
  ///
  /// The recorder removes a meeting from this list only when the meeting's record is complete,
  /// because no later event reveals the gap.
  private var lacking: [MeetingID] = []

  /// The elements of ``lacking``, for fast lookups.
  private var isLacking: Set<MeetingID> = []

  /// The positions up to which this gateway has recorded unattended meetings.
  private var unattended: [MeetingID: StreamCursor] = [:]
  private var isScheduled = false
  private var isStoring = false

  private static let pause = Duration.milliseconds(200)

  /// The maximum number of changes that the recorder keeps while the store does not answer.
  ///
  /// Beyond this number, the recorder drops the changes, and later requests them from `presence`
  /// again.
  private static let mostChanges = 20_000

  /// The maximum number of records that the recorder completes in one run.
  private static let mostLacking = 100

  /// The maximum number of unattended meetings whose positions the recorder keeps.
  ///
  /// If the recorder has dropped the position of a meeting, the recorder queries that meeting once
  /// more.
  private static let mostRemembered = 10_000

  /// The pause between two attempts while `presence` or the store does not answer.
  private static let pauseAfterFailure = Duration.seconds(1)

  init(of part: PresenceServiceConnector, in context: GatewayContext) {
    (self.part, self.context) = (part, context)
  }

  /// Collects a numbered event of a meeting's roster.
  ///
  /// - Returns: The joins and departures in the event.
  @discardableResult
  func note(
    _ header: V1.EventHeader, _ body: [UInt8], of meeting: MeetingID
  ) -> [JoinLeaveHistory.Change] {
    let changes = Self.changes(in: body, at: header.sequence)
    gather(changes, header, of: meeting)
    return changes
  }

  private func gather(
    _ changes: [JoinLeaveHistory.Change], _ header: V1.EventHeader, of meeting: MeetingID
  ) {
    var history: JoinLeaveHistory
    if let known = gathered[meeting] {
      guard known.epoch == header.epoch else { return lack(meeting) }
      // If the event is a repeat, attendees who joined in this event may have left since then.
      guard !known.sequences.contains(header.sequence) else { return }
      guard header.sequence == known.sequences.upperBound + 1 else { return lack(meeting) }
      history = known
      history.sequences = known.sequences.lowerBound...header.sequence
      history.changes += changes
    } else {
      history = JoinLeaveHistory(
        of: meeting, epoch: header.epoch, sequences: header.sequence...header.sequence,
        changes: changes)
    }
    gathered[meeting] = history
    count += changes.count
    guard count <= Self.mostChanges else {
      for meeting in gathered.keys { lack(meeting) }
      return
    }
    if !changes.isEmpty { storeSoon() }
  }

  /// Marks a meeting whose record may have a gap, because the stream has just begun or the epoch is
  /// new.
  func lack(_ meeting: MeetingID) {
    forget(meeting)
    remember([meeting])
    storeSoon()
  }

  /// Completes the record of a meeting in which no live gateway has had a session since the
  /// meeting's last event.
  ///
  /// It is possible that no gateway follows the meeting. So each gateway that learns from
  /// `presence` that the meeting is unattended completes the record.
  func isUnattended(_ meeting: MeetingID, at cursor: StreamCursor) {
    guard unattended[meeting] != cursor else { return }
    if unattended.count >= Self.mostRemembered { unattended = [:] }
    unattended[meeting] = cursor
    lack(meeting)
  }

  /// Completes the records of meetings.
  ///
  /// If `presence` and the store answer in time, the store has all events of `presence` when this
  /// method returns. Otherwise the recorder requests the rest later.
  func complete(_ meetings: [MeetingID], within limit: Duration = .seconds(2)) async {
    let end = context.now + limit
    for meeting in meetings {
      if context.now < end { await catchUp(meeting) } else { lack(meeting) }
    }
  }

  private func remember(_ meetings: some Sequence<MeetingID>) {
    for meeting in meetings where isLacking.insert(meeting).inserted { lacking.append(meeting) }
  }

  /// Records a whole roster. Later events continue this roster.
  ///
  /// A snapshot of a replica has no entries, so the recorder requests the replica's roster from
  /// `presence`.
  func take(_ snapshot: V1.RosterSnapshot, of meeting: MeetingID) {
    guard !snapshot.entries.isEmpty else { return lack(meeting) }
    forget(meeting)
    states[meeting] = RosterState(snapshot, of: meeting)
    storeSoon()
  }

  /// Removes an empty history of a meeting that this gateway no longer follows.
  func release(_ meeting: MeetingID) {
    if gathered[meeting]?.changes.isEmpty == true { forget(meeting) }
  }

  private func forget(_ meeting: MeetingID) {
    count -= gathered.removeValue(forKey: meeting)?.changes.count ?? 0
  }

  // MARK: Storing

  private func storeSoon(after pause: Duration = pause) {
    guard !isScheduled, !isStoring else { return }
    isScheduled = true
    context.after(pause) { [weak self] in
      guard let self else { return }
      isScheduled = false
      context.coordinator.recordRosters()
    }
  }

  /// Stores the collected changes, and requests missing changes.
  ///
  /// Runs on the socket thread.
  func store() async {
    guard !isStoring else { return }
    isStoring = true
    let known = states
    states = [:]
    let histories = gathered.values.filter { !$0.changes.isEmpty }
    for history in histories { forget(history.meeting) }
    var meetings = Set(lacking.prefix(Self.mostLacking))
    lacking.removeFirst(meetings.count)
    isLacking.subtract(meetings)
    do throws(StorageError) {
      for state in known.values {
        try await context.store.record(state, at: Int64(WallClock.nowMs))
      }
      if !histories.isEmpty {
        meetings.formUnion(try await context.store.record(histories).keys)
      }
    } catch {
      remember(histories.map(\.meeting))
      remember(known.keys)
    }
    var hasFailed = false
    for meeting in meetings where await !catchUp(meeting) { hasFailed = true }
    isStoring = false
    let isChanged = gathered.values.contains { !$0.changes.isEmpty }
    if isChanged || !lacking.isEmpty || !states.isEmpty {
      storeSoon(after: hasFailed ? Self.pauseAfterFailure : Self.pause)
    }
  }

  /// Requests from `presence` the events that are missing from a record, and stores these events.
  ///
  /// - Returns: `false` if `presence` or the store did not answer. In this case, the recorder
  ///   repeats the call, because no later event reveals the gap if the last attendee has left.
  @discardableResult
  private func catchUp(_ meeting: MeetingID) async -> Bool {
    do {
      guard let place = try await context.store.rosterPlace(of: meeting) else { return true }
      switch try await missed(of: meeting, after: place) {
      case .events(let events):
        if let history = Self.history(of: meeting, events.events) {
          _ = try await context.store.record([history])
        }
      case .snapshot(let snapshot):
        let state = RosterState(snapshot, of: meeting)
        let earlier = try await beginning(of: state, after: place)
        try await context.store.record(state, after: earlier, at: Int64(WallClock.nowMs))
      case nil: throw Status.emptyAnswer
      }
      return true
    } catch {
      remember([meeting])
      return false
    }
  }

  /// Returns the joins and departures of a new epoch up to a roster state; `nil` if `presence` no
  /// longer keeps them.
  ///
  /// Without these events, the record would lack an attendance that ended before the first request.
  private func beginning(
    of state: RosterState, after place: RosterPosition
  ) async throws(Status) -> JoinLeaveHistory? {
    guard place.epoch != nil, place.epoch != state.epoch, state.sequence > 0,
      case .events(let events) = try await missed(
        of: state.meeting, after: RosterPosition(epoch: state.epoch, sequence: 0))
    else { return nil }
    return Self.history(of: state.meeting, events.events)
  }

  /// Requests the events after a position, or all events if the record is empty.
  private func missed(
    of meeting: MeetingID, after place: RosterPosition
  ) async throws(Status) -> V1.ReplayReply.Outcome? {
    let request = V1.ReplayRequest(
      meetingID: meeting.text, epoch: place.epoch ?? 0, afterSequence: place.sequence,
      includesAudience: true)
    let owner = try part.follower.reachableOwner(of: meeting)
    return try await owner.client.replay(request, options: .replay).outcome
  }

  // MARK: Reading events

  private static func history(
    of meeting: MeetingID, _ events: [V1.PackedEvent]
  ) -> JoinLeaveHistory? {
    guard let first = events.first?.header, let last = events.last?.header else { return nil }
    return JoinLeaveHistory(
      of: meeting, epoch: first.epoch,
      sequences: first.sequence...max(first.sequence, last.sequence),
      changes: events.flatMap { changes(in: $0.body, at: $0.header?.sequence ?? 0) })
  }

  private static func changes(in body: [UInt8], at sequence: UInt64) -> [JoinLeaveHistory.Change] {
    guard let events = try? V1.SessionEvents(packed: body).events else { return [] }
    return events.flatMap { event -> [JoinLeaveHistory.Change] in
      guard case .presenceChanged(let presence) = event.event else { return [] }
      return presence.changes.compactMap { JoinLeaveHistory.Change($0, at: sequence) }
    }
  }
}

extension JoinLeaveHistory.Change {
  /// Reads a change; returns `nil` if the change is malformed.
  fileprivate init?(_ change: V1.PresenceChange, at sequence: UInt64) {
    guard let who = change.attendee.flatMap({ try? ParticipantIdentity($0) }) else { return nil }
    switch change.state {
    case .joined:
      self.init(sequence: sequence, who: who, at: Int64(clamping: change.joinedAtMs))
    case .left, .dropped:
      let reason = PresenceReason(change.reason).map(DepartureReason.init) ?? .unknown
      self.init(
        sequence: sequence, who: who, departure: reason, at: Int64(clamping: change.departedAtMs))
    case .unspecified, .unrecognized: return nil
    }
  }
}

extension RosterState {
  fileprivate init(_ snapshot: V1.RosterSnapshot, of meeting: MeetingID) {
    self.init(
      of: meeting, epoch: snapshot.epoch, sequence: snapshot.sequence,
      present: snapshot.entries.compactMap { entry in
        guard let who = entry.attendee.flatMap({ try? ParticipantIdentity($0) }) else { return nil }
        return (who, Int64(clamping: entry.joinedAtMs))
      })
  }
}
