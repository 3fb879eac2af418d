import Bus
import MeetingModel
import Storage
import Wire

/// Hands who came and went, as presence tells it, to the record of meetings.
///
/// Lives on the gateway's socket thread. What is told gathers for a moment and is stored together.
/// The store takes each event once, whichever gateways hand it in and however often, and says where
/// something is missing; presence is asked for that.
final class RosterRecorder {
  private unowned let part: RosterPart
  private let context: GatewayContext

  /// What is not stored yet.
  private var gathered: [MeetingID: RosterHistory] = [:]

  /// What is to be recorded before it: who was there when a numbering began.
  private var states: [MeetingID: RosterState] = [:]

  /// How many changes that is.
  private var count = 0

  /// The meetings whose records may lack something.
  private var lacking: Set<MeetingID> = []
  private var isScheduled = false
  private var isStoring = false

  private static let pause = Duration.milliseconds(200)

  /// Beyond that presence is asked again, rather than that more is kept while the store is away.
  private static let mostChanges = 20_000

  /// Records that are caught up with in one go.
  private static let mostLacking = 100

  init(of part: RosterPart, in context: GatewayContext) {
    (self.part, self.context) = (part, context)
  }

  /// A numbered event of a meeting's roster has come.
  ///
  /// - Returns: Who came and went by it.
  @discardableResult
  func note(
    _ header: V1.EventHeader, _ body: [UInt8], of meeting: MeetingID
  ) -> [RosterHistory.Change] {
    let changes = Self.changes(in: body, at: header.sequence)
    gather(changes, header, of: meeting)
    return changes
  }

  private func gather(
    _ changes: [RosterHistory.Change], _ header: V1.EventHeader, of meeting: MeetingID
  ) {
    var history: RosterHistory
    if let known = gathered[meeting] {
      guard known.epoch == header.epoch else { return lack(meeting) }
      // It is told again: who came then may have gone meanwhile.
      guard !known.sequences.contains(header.sequence) else { return }
      guard header.sequence == known.sequences.upperBound + 1 else { return lack(meeting) }
      history = known
      history.sequences = known.sequences.lowerBound...header.sequence
      history.changes += changes
    } else {
      history = RosterHistory(
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

  /// The record of a meeting may lack something: its stream begins, or its numbering is new.
  func lack(_ meeting: MeetingID) {
    forget(meeting)
    lacking.insert(meeting)
    storeSoon()
  }

  /// The meeting's roster was told whole: what follows is behind that. A replica shows nobody, and
  /// presence is asked.
  func take(_ snapshot: V1.RosterSnapshot, of meeting: MeetingID) {
    guard !snapshot.entries.isEmpty else { return lack(meeting) }
    forget(meeting)
    states[meeting] = RosterState(snapshot, of: meeting)
    storeSoon()
  }

  /// Nobody is in the meeting by way of this gateway any more.
  func release(_ meeting: MeetingID) {
    if gathered[meeting]?.changes.isEmpty == true { forget(meeting) }
  }

  private func forget(_ meeting: MeetingID) {
    count -= gathered.removeValue(forKey: meeting)?.changes.count ?? 0
  }

  // MARK: Storing

  private func storeSoon() {
    guard !isScheduled, !isStoring else { return }
    isScheduled = true
    context.after(Self.pause) { [weak self] in
      guard let self else { return }
      isScheduled = false
      context.recordRosters()
    }
  }

  /// Stores what has gathered, and asks for what is missing. Runs on the socket thread.
  func store() async {
    guard !isStoring else { return }
    isStoring = true
    let known = states
    states = [:]
    let histories = gathered.values.filter { !$0.changes.isEmpty }
    for history in histories { forget(history.meeting) }
    var meetings = Set(lacking.prefix(Self.mostLacking))
    lacking.subtract(meetings)
    do throws(StorageError) {
      for state in known.values {
        try await context.store.record(state, at: Int64(WallClock.nowMs))
      }
      if !histories.isEmpty {
        meetings.formUnion(try await context.store.record(histories).keys)
      }
    } catch {
      lacking.formUnion(histories.map(\.meeting))
      lacking.formUnion(known.keys)
    }
    for meeting in meetings { await catchUp(meeting) }
    isStoring = false
    let isChanged = gathered.values.contains { !$0.changes.isEmpty }
    if isChanged || !lacking.isEmpty || !states.isEmpty { storeSoon() }
  }

  private func catchUp(_ meeting: MeetingID) async {
    do {
      guard let place = try await context.store.rosterPlace(of: meeting) else { return }
      let request = V1.ReplayRequest(
        meetingID: meeting.text, epoch: place.epoch ?? 0, afterSequence: place.sequence,
        includesAudience: true)
      let owner = try part.follower.reachableOwner(of: meeting)
      let reply = try await owner.client.replay(request, options: .replay)
      switch reply.outcome {
      case .events(let events):
        if let history = Self.history(of: meeting, events.events) {
          _ = try await context.store.record([history])
        }
      case .snapshot(let snapshot):
        try await context.store.record(
          RosterState(snapshot, of: meeting), at: Int64(WallClock.nowMs))
      case nil: throw Status.emptyAnswer
      }
    } catch {
      // Presence may be away, or the store: asked again, unless nobody is here who could tell.
      if part.follower.knownHub(of: meeting) != nil { lacking.insert(meeting) }
    }
  }

  // MARK: Reading events

  private static func history(
    of meeting: MeetingID, _ events: [V1.PackedEvent]
  ) -> RosterHistory? {
    guard let first = events.first?.header, let last = events.last?.header else { return nil }
    return RosterHistory(
      of: meeting, epoch: first.epoch,
      sequences: first.sequence...max(first.sequence, last.sequence),
      changes: events.flatMap { changes(in: $0.body, at: $0.header?.sequence ?? 0) })
  }

  private static func changes(in body: [UInt8], at sequence: UInt64) -> [RosterHistory.Change] {
    guard let events = try? V1.SessionEvents(packed: body).events else { return [] }
    return events.flatMap { event -> [RosterHistory.Change] in
      guard case .presenceChanged(let presence) = event.event else { return [] }
      return presence.changes.compactMap { RosterHistory.Change($0, at: sequence) }
    }
  }
}

extension RosterHistory.Change {
  /// `nil` for what cannot be read.
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
