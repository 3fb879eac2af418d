import Bus
import MeetingModel
import Wire

/// The rosters of meetings as those get them who come: asked for once, packed once, and shared, so
/// that a thousand who come at once cost presence a few questions and not a thousand rosters.
///
/// Nobody observes what was over before it came. So a roster serves newcomers only as long as
/// nothing but joins has followed it: those attendees are present, whether the roster says so or
/// an event behind it. After a departure, a mute or new capabilities presence is asked anew, once
/// for all who come meanwhile. Who knows a roster already would take any that is older for
/// departures, and gets one of after it asked.
final class SharedRosters {
  /// A roster as it was, packed.
  struct Packed {
    let cursor: StreamCursor

    /// The last volatile update that is contained.
    let tick: UInt64
    let item: SharedItem

    /// The first event behind it that tells of anything but joins; `nil`: none yet.
    fileprivate(set) var news: UInt64?
  }

  private unowned let part: PresenceConnector
  private var newest: [MeetingID: Packed] = [:]

  /// The levels that were given last.
  private var levels: [MeetingID: (tick: UInt64, item: SharedItem)] = [:]

  /// Those who wait for the roster that presence is asked for.
  private var waiting: [MeetingID: [CheckedContinuation<Status?, Never>]] = [:]

  /// How many events behind its roster somebody gets before it is asked for anew.
  private static let mostEvents: UInt64 = 64

  init(of part: PresenceConnector) { self.part = part }

  /// A roster that the hub's recent events continue, for one who knows nobody.
  ///
  /// - Parameter position: Where the newcomer joined: the roster and those events together contain
  ///   it, and up to there the events tell of joins alone. `nil`: it comes now.
  func roster(
    of meeting: MeetingID, reaching position: StreamCursor? = nil
  ) async throws(Status) -> Packed {
    // The answer that is under way may be to a question from before the position was reached; the
    // one after it is not.
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
    let hub = part.follower.knownHub(of: meeting)  // None: nobody here needs it any more.
    guard hub?.continues(packed.cursor, within: Self.mostEvents) ?? true else { return false }
    guard let position else { return packed.news == nil }
    if let news = packed.news, news <= position.sequence { return false }
    let last = max(packed.cursor.sequence, hub?.follower.cursor?.sequence ?? 0)
    return packed.cursor.epoch == position.epoch && last >= position.sequence
  }

  /// A roster of after this call, for one who knows an older one.
  func roster(askedNowOf meeting: MeetingID) async throws(Status) -> Packed {
    // The answer that is under way may be from before.
    if waiting[meeting] != nil { try await refresh(meeting) }
    try await refresh(meeting)
    guard let packed = newest[meeting] else { throw PresenceConnector.away }
    return packed
  }

  /// Shares a roster with which presence answered another question.
  func pack(_ snapshot: V1.RosterSnapshot, of meeting: MeetingID) -> Packed {
    if let packed = newest[meeting], packed.cursor == snapshot.cursor { return packed }
    var packed = Packed(
      cursor: snapshot.cursor, tick: snapshot.tick, item: SharedItem(snapshot.asItem))
    // Nobody keeps a roster whose meeting is not followed any more.
    guard let hub = part.follower.knownHub(of: meeting) else { return packed }
    packed.news = hub.events(after: packed.cursor).first { Self.isNews($0.body) }?.header.sequence
    newest[meeting] = packed
    return packed
  }

  /// A numbered event of a meeting's roster has come.
  func note(_ header: V1.EventHeader, _ body: [UInt8], of meeting: MeetingID) {
    guard let packed = newest[meeting], packed.news == nil, header.epoch == packed.cursor.epoch,
      header.sequence > packed.cursor.sequence, Self.isNews(body)
    else { return }
    newest[meeting]?.news = header.sequence
  }

  /// Whether an event tells of anything that a newcomer must not hear unless it was there: all but
  /// who has joined.
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

  /// Nobody here follows the meeting any more.
  func forget(_ meeting: MeetingID) {
    newest[meeting] = nil
    levels[meeting] = nil
  }

  /// Shows a client the roster, with what has changed since.
  func give(_ packed: Packed, to session: Session) {
    session.queue(packed.item)
    part.follower.hub(of: session.sourceMeeting).place(session, at: packed.cursor)
    // Now, and not later: from the next update on it hears of what changes only.
    if let levels = levels(of: session.sourceMeeting, since: packed) { session.queue(levels) }
  }

  /// Volumes and signals, if some have changed since a roster; packed once for each update.
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
