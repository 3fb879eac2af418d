import Bus
import MeetingModel
import Wire

/// The rosters of meetings as all get them who come to watch: asked for once, packed once, and
/// shared, so that an audience that comes at once costs presence one question and not one for each.
final class SharedRosters {
  /// A roster as it was, packed.
  struct Packed {
    let cursor: StreamCursor
    let item: SharedItem
  }

  private unowned let part: RosterPart
  private var newest: [MeetingID: Packed] = [:]
  private var waiting: [MeetingID: [CheckedContinuation<Status?, Never>]] = [:]

  /// How many events behind its roster somebody gets before it is asked for anew.
  private static let mostEvents: UInt64 = 64

  init(of part: RosterPart) { self.part = part }

  /// A roster that the hub's recent events continue.
  func roster(of meeting: MeetingID) async throws(Status) -> Packed {
    if let packed = newest[meeting],
      part.follower.hub(of: meeting).continues(packed.cursor, within: Self.mostEvents)
    {
      return packed
    }
    let owner = try part.follower.reachableOwner(of: meeting)
    let failure = await withCheckedContinuation { continuation in
      waiting[meeting, default: []].append(continuation)
      if waiting[meeting]?.count == 1 { ask(owner, for: meeting) }
    }
    if let failure { throw failure }
    guard let packed = newest[meeting] else { throw RosterPart.away }
    return packed
  }

  /// Nobody here follows the meeting any more.
  func forget(_ meeting: MeetingID) { newest[meeting] = nil }

  /// Shows a client the roster, with what has changed since.
  func give(_ packed: Packed, to session: Session) {
    session.queue(packed.item)
    part.follower.hub(of: session.sourceMeeting).place(session, at: packed.cursor)
    session.owesLevels = true  // Those in the roster are as old as it is.
  }

  private func ask(_ owner: ServiceLink<PresenceClient>, for meeting: MeetingID) {
    let request = V1.SnapshotRequest(meetingID: meeting.text)
    owner.client.snapshot(request, options: .replay) { [weak self] result in
      guard let self else { return }
      if case .success(let snapshot) = result {
        newest[meeting] = Packed(cursor: snapshot.cursor, item: SharedItem(snapshot.asItem))
      }
      for continuation in waiting.removeValue(forKey: meeting) ?? [] {
        continuation.resume(returning: result.failure)
      }
    }
  }
}
