import Bus
import MeetingModel
import Wire

/// One meeting as this gateway sees it: its stream from presence, and the clients here that follow it.
///
/// Each event is packed by presence and handed on as it is; the newest stay here, so that a client whose
/// snapshot is a few events behind is caught up without asking.
final class MeetingHub {
  let meeting: MeetingID
  let follower = StreamFollower()

  /// A client's position is older than what is kept here: it needs a snapshot of its own.
  var onGap: ((Session) -> Void)?

  /// A slow client was spared a volatile update.
  var onSpared: (() -> Void)?

  /// The clients here, in the order they came.
  private(set) var sessions: [Session] = []

  /// Volumes and signals as last heard, for clients that were too slow to be told each.
  private var levels = LevelBoard()
  private var recent: [Recent] = []

  private static let mostRecent = 512

  /// An event that was handed on.
  struct Recent {
    let header: V1.EventHeader
    let item: SharedItem
  }

  init(_ meeting: MeetingID) { self.meeting = meeting }

  func add(_ session: Session) { sessions.append(session) }

  func remove(_ id: SessionID) { sessions.removeAll { $0.id == id } }

  /// Hands a numbered or volatile event to every client that may see it.
  func deliver(_ header: V1.EventHeader, _ body: [UInt8]) {
    let item = SharedItem(body)
    guard header.sequence > 0 else { return deliverLevels(item) }
    remember(Recent(header: header, item: item))
    for session in sessions { queue(header, item, for: session) }
  }

  /// A snapshot replaces what clients have: the numbering is another one.
  func deliver(_ snapshot: V1.RosterSnapshot) {
    recent = []
    levels.replace(with: snapshot)
    let item = SharedItem(Self.events(of: snapshot))
    let cursor = StreamCursor(epoch: snapshot.epoch, sequence: snapshot.sequence)
    for session in sessions {
      guard session.cursor != nil else { continue }  // It is about to get a snapshot of its own.
      session.cursor = cursor
      session.queue(item)
    }
  }

  /// Gives a client that stands at its cursor what has come since.
  func catchUp(_ session: Session) {
    for event in recent { queue(event.header, event.item, for: session) }
  }

  /// Gives one client an event it missed.
  func give(_ event: V1.PackedEvent, to session: Session) {
    if let header = event.header { queue(header, SharedItem(event.body), for: session) }
  }

  /// A slow client has read on: it gets the levels it was spared.
  func refreshLevels(of session: Session) {
    guard session.owesLevels, !session.link.isCongested, let cursor = follower.cursor else { return }
    session.owesLevels = false
    let event = V1.SessionEvent(event: .levelsChanged(levels.all(epoch: cursor.epoch)))
    session.queue(SharedItem(V1.SessionEvents(events: [event])))
  }

  /// What a client is told when it gets a whole roster.
  static func events(of snapshot: V1.RosterSnapshot) -> V1.SessionEvents {
    V1.SessionEvents(
      events: [V1.SessionEvent(event: .rosterSnapshot(snapshot))],
      positions: [
        V1.StreamPosition(stream: Self.stream, epoch: snapshot.epoch, sequence: snapshot.sequence)
      ])
  }

  /// The name of presence's stream in clients' positions.
  static let stream = "roster"

  private func queue(_ header: V1.EventHeader, _ item: SharedItem, for session: Session) {
    guard var cursor = session.cursor, header.epoch == cursor.epoch else { return }
    switch cursor.arrive(epoch: header.epoch, sequence: header.sequence) {
    case .take:
      session.cursor = cursor
      if session.maySee(header) { session.queue(item) }
    case .skip:
      break
    case .catchUp:
      session.cursor = nil
      onGap?(session)
    }
  }

  private func deliverLevels(_ item: SharedItem) {
    if let events = try? V1.SessionEvents(packed: item.body) { levels.update(with: events) }
    for session in sessions where session.cursor != nil {
      if session.link.isCongested {
        session.owesLevels = true
        onSpared?()
      } else {
        session.queue(item)
      }
    }
  }

  private func remember(_ event: Recent) {
    if recent.count >= 2 * Self.mostRecent { recent.removeFirst(recent.count - Self.mostRecent) }
    recent.append(event)
  }
}
