import Bus
import MeetingModel
import Wire

/// The rosters of meetings for new sessions. The gateway requests and encodes a roster once, and
/// all new sessions share it. So a thousand simultaneous joins cost `presence` a few requests
/// instead of a thousand rosters.
///
/// A client must not see attendees who left, or mutes that ended, before the client's join. So the
/// gateway sends a shared roster to new sessions only while all events after this roster are joins.
/// In this case, every attendee in the roster and in the later events is present. After a
/// departure, a mute or new capabilities, the gateway requests the roster again, once for all
/// waiting sessions. A client that already has a roster treats an entry that is missing from the
/// new roster as a departure. So for such a client, the gateway requests a new roster after the
/// client's call.
final class RosterSnapshotCache {
  /// An encoded roster.
  struct Packed {
    let cursor: StreamCursor

    /// The tick of the last volatile update that the roster contains.
    let tick: UInt64
    let item: PackedSessionEvents

    /// The sequence of the first event after this roster that reports a change other than a join;
    /// `nil` if no such event has arrived.
    fileprivate(set) var news: UInt64?
  }

  private unowned let part: PresenceServiceConnector
  private var newest: [MeetingID: Packed] = [:]

  /// The most recently encoded volumes and signal strengths of each meeting.
  private var levels: [MeetingID: (edition: LevelsEdition, item: PackedSessionEvents)] = [:]
  private typealias LevelsEdition = ParticipantLevels.Edition

  /// The calls that wait for the answer of `presence` to a request for a roster.
  private var waiting: [MeetingID: [CheckedContinuation<Status?, Never>]] = [:]

  /// The maximum number of events after a shared roster. Beyond this number, the gateway requests a
  /// new roster.
  private static let mostEvents: UInt64 = 64

  init(of part: PresenceServiceConnector) { self.part = part }

  /// Returns a roster for a client that has no roster yet. The hub's recent events follow this
  /// roster without a gap.
  ///
  /// - Parameter position: The position of the new session's join; `nil` if the session joins now.
  ///   The roster and the recent events together include this position. All recent events up to
  ///   this position are joins.
  func roster(
    of meeting: MeetingID, reaching position: StreamCursor? = nil
  ) async throws(Status) -> Packed {
    // The answer to a pending request may be older than `position`. The answer to the next request
    // is not older.
    for _ in 0..<2 {
      if let packed = newest[meeting], serves(packed, of: meeting, reaching: position) {
        return packed
      }
      try await refresh(meeting)
    }
    guard let packed = newest[meeting] else { throw PresenceServiceConnector.away }
    return packed
  }

  private func serves(
    _ packed: Packed, of meeting: MeetingID, reaching position: StreamCursor?
  ) -> Bool {
    let hub = part.follower.knownHub(of: meeting)  // `nil` if no session needs the hub.
    guard hub?.continues(packed.cursor, within: Self.mostEvents) ?? true else { return false }
    guard let position else { return packed.news == nil }
    if let news = packed.news, news <= position.sequence { return false }
    let last = max(packed.cursor.sequence, hub?.follower.cursor?.sequence ?? 0)
    return packed.cursor.epoch == position.epoch && last >= position.sequence
  }

  /// Requests a roster now, and returns it. Callers use this method for a client that already has a
  /// roster.
  func roster(askedNowOf meeting: MeetingID) async throws(Status) -> Packed {
    // If a request for the roster is already pending, the answer to that request may be older than
    // this call. So this method waits for that answer, and then requests the roster again.
    if waiting[meeting] != nil { try await refresh(meeting) }
    try await refresh(meeting)
    guard let packed = newest[meeting] else { throw PresenceServiceConnector.away }
    return packed
  }

  /// Shares a roster that `presence` sent in answer to another request.
  func pack(_ snapshot: V1.RosterSnapshot, of meeting: MeetingID) -> Packed {
    if let packed = newest[meeting], packed.cursor == snapshot.cursor { return packed }
    var packed = Packed(
      cursor: snapshot.cursor, tick: snapshot.tick, item: PackedSessionEvents(snapshot.asItem))
    // The gateway does not keep the roster of a meeting that it no longer follows.
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

  /// Returns whether an event reports a change other than a join. Only clients that were present at
  /// the time of this event may receive it.
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

  /// Removes a meeting that the gateway no longer follows.
  func forget(_ meeting: MeetingID) {
    newest[meeting] = nil
    levels[meeting] = nil
  }

  /// Sends a client the roster and the later changes.
  func give(_ packed: Packed, to session: GatewayClientSession) {
    session.queue(packed.item)
    part.follower.hub(of: session.sourceMeeting).place(session, at: packed.cursor)
    // The gateway sends the levels now, because the next update contains only changes.
    if let levels = levels(of: session.sourceMeeting, since: packed) { session.queue(levels) }
  }

  /// Returns the volumes and signal strengths if any of these values has changed since a roster.
  ///
  /// The gateway encodes these levels once for each update.
  private func levels(of meeting: MeetingID, since packed: Packed) -> PackedSessionEvents? {
    guard let board = part.levels[meeting], board.tick > packed.tick else { return nil }
    if let known = levels[meeting], known.edition == board.edition { return known.item }
    let change = board.all(epoch: packed.cursor.epoch)
    let item = PackedSessionEvents(
      V1.SessionEvents(events: [V1.SessionEvent(event: .levelsChanged(change))]))
    levels[meeting] = (board.edition, item)
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
