import Bus
import MeetingModel
import Wire

/// The rosters of meetings as those get them who come: asked for once, packed once, and shared, so
/// that a thousand who come at once cost presence a few questions and not a thousand rosters.
final class SharedRosters {
  /// A roster as it was, packed.
  struct Packed {
    let cursor: StreamCursor

    /// The last volatile update that is contained.
    let tick: UInt64
    let item: SharedItem
  }

  private unowned let part: RosterPart
  private var newest: [MeetingID: Packed] = [:]

  /// The levels that were given last.
  private var levels: [MeetingID: (tick: UInt64, item: SharedItem)] = [:]

  /// Those who wait for the roster that presence is asked for.
  private var waiting: [MeetingID: [CheckedContinuation<Status?, Never>]] = [:]

  /// How many events behind its roster somebody gets before it is asked for anew.
  private static let mostEvents: UInt64 = 64

  init(of part: RosterPart) { self.part = part }

  /// A roster that the hub's recent events continue.
  ///
  /// - Parameter position: What the roster and those events together contain; `nil`: no matter.
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
    guard let packed = newest[meeting] else { throw RosterPart.away }
    return packed
  }

  private func serves(
    _ packed: Packed, of meeting: MeetingID, reaching position: StreamCursor?
  ) -> Bool {
    let hub = part.follower.knownHub(of: meeting)  // None: nobody here needs it any more.
    guard hub?.continues(packed.cursor, within: Self.mostEvents) ?? true else { return false }
    guard let position else { return true }
    let last = max(packed.cursor.sequence, hub?.follower.cursor?.sequence ?? 0)
    return packed.cursor.epoch == position.epoch && last >= position.sequence
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
      // Nobody keeps a roster whose meeting is not followed any more.
      if case .success(let snapshot) = result, part.follower.knownHub(of: meeting) != nil {
        newest[meeting] = Packed(
          cursor: snapshot.cursor, tick: snapshot.tick, item: SharedItem(snapshot.asItem))
      }
      for continuation in waiting.removeValue(forKey: meeting) ?? [] {
        continuation.resume(returning: result.failure)
      }
    }
  }
}
