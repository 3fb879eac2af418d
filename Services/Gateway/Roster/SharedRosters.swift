import Bus
import MeetingModel
import Wire

/// The rosters of meetings for newcomers: requested once, packed once, and shared, so that a
/// thousand simultaneous joins cost presence a few requests and not a thousand rosters.
///
/// A client must not observe what was over before it joined. So a roster serves newcomers only
/// while nothing but joins has followed it: those attendees are present, whether the roster shows
/// them or a later event. After a departure, a mute or new capabilities, presence is asked again,
/// once for all newcomers of that time. A client that already has a roster would take an older one
/// for departures, so it gets one that was requested after its call.
final class SharedRosters {
  /// A packed roster.
  struct Packed {
    let cursor: StreamCursor

    /// The tick of the last volatile update that the roster contains.
    let tick: UInt64
    let item: SharedItem

    /// The sequence of the first later event with anything but joins; `nil`: none yet.
    fileprivate(set) var news: UInt64?
  }

  private unowned let part: PresenceConnector
  private var newest: [MeetingID: Packed] = [:]

  /// The last packed levels.
  private var levels: [MeetingID: (tick: UInt64, item: SharedItem)] = [:]

  /// The calls that wait for the roster that was requested from presence.
  private var waiting: [MeetingID: [CheckedContinuation<Status?, Never>]] = [:]

  /// The most events between a shared roster and the present, before it is requested again.
  private static let mostEvents: UInt64 = 64

  init(of part: PresenceConnector) { self.part = part }

  /// Returns a roster that the hub's recent events continue, for a client that has none.
  ///
  /// - Parameter position: The position of the newcomer's join. The roster and those events
  ///   together contain it, and up to there the events are joins only. `nil`: the newcomer arrives
  ///   now.
  func roster(
    of meeting: MeetingID, reaching position: StreamCursor? = nil
  ) async throws(Status) -> Packed {
    // The pending request may be from before the position. The next one is not.
    for _ in 0..<2 {
      if let packed = newest[meeting], serves(packed, of: meeting, reaching: position) {
        return packed
      }
      try await refresh(meeting)
    }
    guard let packed = newest[meeting] else { throw PresenceConnector.away }
    return packed
  }

  private func serves(
    _ packed: Packed, of meeting: MeetingID, reaching position: StreamCursor?
  ) -> Bool {
    let hub = part.follower.knownHub(of: meeting)  // `nil`: no session here needs it.
    guard hub?.continues(packed.cursor, within: Self.mostEvents) ?? true else { return false }
    guard let position else { return packed.news == nil }
    if let news = packed.news, news <= position.sequence { return false }
    let last = max(packed.cursor.sequence, hub?.follower.cursor?.sequence ?? 0)
    return packed.cursor.epoch == position.epoch && last >= position.sequence
  }

  /// Returns a roster that was requested after this call, for a client with an older one.
  func roster(askedNowOf meeting: MeetingID) async throws(Status) -> Packed {
    // The pending request may be from before this call.
    if waiting[meeting] != nil { try await refresh(meeting) }
    try await refresh(meeting)
    guard let packed = newest[meeting] else { throw PresenceConnector.away }
    return packed
  }

  /// Shares a roster that presence sent in answer to another request.
  func pack(_ snapshot: V1.RosterSnapshot, of meeting: MeetingID) -> Packed {
    if let packed = newest[meeting], packed.cursor == snapshot.cursor { return packed }
    var packed = Packed(
      cursor: snapshot.cursor, tick: snapshot.tick, item: SharedItem(snapshot.asItem))
    // The roster of a meeting that is no longer followed is not kept.
    guard let hub = part.follower.knownHub(of: meeting) else { return packed }
    packed.news = hub.events(after: packed.cursor).first { Self.isNews($0.body) }?.header.sequence
    newest[meeting] = packed
    return packed
  }

  /// Records a numbered event of a meeting's roster.
  func note(_ header: V1.EventHeader, _ body: [UInt8], of meeting: MeetingID) {
    guard let packed = newest[meeting], packed.news == nil, header.epoch == packed.cursor.epoch,
      header.sequence > packed.cursor.sequence, Self.isNews(body)
    else { return }
    newest[meeting]?.news = header.sequence
  }

  /// Returns whether an event has content that a client must not receive unless it was present:
  /// anything but joins.
  private static func isNews(_ body: [UInt8]) -> Bool {
    guard let events = try? V1.SessionEvents(packed: body).events else { return true }
    return events.contains { event in
      switch event.event {
      case .presenceChanged(let change): change.changes.contains { $0.state != .joined }
      case .muteChanged, .capabilitiesChanged: true
      default: false
      }
    }
  }

  /// Forgets a meeting that is no longer followed.
  func forget(_ meeting: MeetingID) {
    newest[meeting] = nil
    levels[meeting] = nil
  }

  /// Sends a client the roster, and the changes since.
  func give(_ packed: Packed, to session: Session) {
    session.queue(packed.item)
    part.follower.hub(of: session.sourceMeeting).place(session, at: packed.cursor)
    // Send the levels now: the next update contains only changes.
    if let levels = levels(of: session.sourceMeeting, since: packed) { session.queue(levels) }
  }

  /// Returns the volumes and signals if any have changed since a roster.
  ///
  /// They are packed once for each update.
  private func levels(of meeting: MeetingID, since packed: Packed) -> SharedItem? {
    guard let board = part.levels[meeting], board.tick > packed.tick else { return nil }
    if let known = levels[meeting], known.tick == board.tick { return known.item }
    let change = board.all(epoch: packed.cursor.epoch)
    let item = SharedItem(
      V1.SessionEvents(events: [V1.SessionEvent(event: .levelsChanged(change))]))
    levels[meeting] = (board.tick, item)
    return item
  }

  private func refresh(_ meeting: MeetingID) async throws(Status) {
    let owner = try part.follower.reachableOwner(of: meeting)
    let failure = await withCheckedContinuation { continuation in
      waiting[meeting, default: []].append(continuation)
      if waiting[meeting]?.count == 1 { ask(owner, for: meeting) }
    }
    if let failure { throw failure }
  }

  private func ask(_ owner: ServiceLink<PresenceClient>, for meeting: MeetingID) {
    let request = V1.SnapshotRequest(meetingID: meeting.text)
    let options = CallOptions(timeout: .seconds(2), term: owner.term)
    owner.client.snapshot(request, options: options) { [weak self] result in
      guard let self else { return }
      if case .success(let snapshot) = result { _ = pack(snapshot, of: meeting) }
      for continuation in waiting.removeValue(forKey: meeting) ?? [] {
        continuation.resume(returning: result.failure)
      }
    }
  }
}
