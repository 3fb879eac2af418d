import Bus
import MeetingModel
import Wire

/// A meeting's roster as this gateway sees it: presence's stream, and the volumes and signals that
/// belong to it.
final class RosterHub {
  let events: StreamHub

  /// A slow client was spared a volatile update.
  var onSpared: (() -> Void)?

  /// Volumes and signals as last heard, for clients that were too slow to be told each.
  private var levels = LevelBoard()

  init(_ meeting: MeetingID) { events = StreamHub(.roster, of: meeting) }

  var meeting: MeetingID { events.meeting }
  var follower: StreamFollower { events.follower }
  var sessions: [Session] { events.sessions }

  /// Hands a numbered or volatile event to every client that may see it.
  func deliver(_ header: V1.EventHeader, _ body: [UInt8]) {
    guard header.sequence > 0 else { return deliverLevels(SharedItem(body)) }
    events.deliver(header, body)
  }

  /// A snapshot replaces what clients have: the numbering is another one.
  func deliver(_ snapshot: V1.RosterSnapshot) {
    events.forgetRecent()
    levels.replace(with: snapshot)
    let item = SharedItem(Self.events(of: snapshot))
    let cursor = StreamCursor(epoch: snapshot.epoch, sequence: snapshot.sequence)
    for session in sessions {
      guard session.cursors[.roster] != nil else { continue }  // A snapshot of its own is coming.
      session.cursors[.roster] = cursor
      session.queue(item)
    }
  }

  /// A slow client has read on: it gets the levels it was spared.
  func refreshLevels(of session: Session) {
    guard session.owesLevels, !session.link.isCongested, let cursor = follower.cursor else {
      return
    }
    session.owesLevels = false
    let event = V1.SessionEvent(event: .levelsChanged(levels.all(epoch: cursor.epoch)))
    session.queue(SharedItem(V1.SessionEvents(events: [event])))
  }

  /// What a client is told when it gets a whole roster.
  static func events(of snapshot: V1.RosterSnapshot) -> V1.SessionEvents {
    V1.SessionEvents(
      events: [V1.SessionEvent(event: .rosterSnapshot(snapshot))],
      positions: [
        V1.StreamPosition(
          stream: MeetingStream.roster.name, epoch: snapshot.epoch, sequence: snapshot.sequence)
      ])
  }

  private func deliverLevels(_ item: SharedItem) {
    if let events = try? V1.SessionEvents(packed: item.body) { levels.update(with: events) }
    for session in sessions where session.cursors[.roster] != nil {
      if session.link.isCongested {
        session.owesLevels = true
        onSpared?()
      } else {
        session.queue(item)
      }
    }
  }
}
