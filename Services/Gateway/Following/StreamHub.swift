import Bus
import DequeModule
import MeetingModel
import Wire

/// One service's events about one meeting, and the clients here that hear them.
///
/// Each event is packed by its service and handed on as it is; the newest numbered ones stay here,
/// so that a client whose beginning is a few events behind is caught up without asking.
final class StreamHub {
  let meeting: MeetingID

  /// `nil` where all events are volatile.
  let stream: MeetingStream?
  let follower = StreamFollower()

  private unowned let handler: any StreamHubHandler
  private let onGap: (Session) -> Void

  /// The clients here, in the order they came.
  private(set) var sessions: [Session] = []

  /// How many sessions need it without hearing it: they are on their way here, or are in a replica
  /// whose events are shown to nobody.
  var holds = 0

  private var recent: Deque<Recent> = []

  private static let mostRecent = 512

  /// So many of the newest stay as they left, too: beyond them hardly a client waits for one alone.
  private static let mostFramed = 16

  /// An event that was handed on.
  private struct Recent {
    let header: V1.EventHeader
    let item: SharedItem
  }

  /// - Parameters:
  ///   - handler: Outlives the hub.
  ///   - onGap: Called when a client's position is older than the events that are kept here. The
  ///     client needs the missing ones.
  init(
    _ stream: MeetingStream?, of meeting: MeetingID, for handler: any StreamHubHandler,
    onGap: @escaping (Session) -> Void
  ) {
    (self.stream, self.meeting) = (stream, meeting)
    (self.handler, self.onGap) = (handler, onGap)
  }

  var isUnused: Bool { sessions.isEmpty && holds == 0 }

  func add(_ session: Session) { sessions.append(session) }

  func remove(_ session: Session) { sessions.removeAll { $0 === session } }

  /// Hands an event to every client that may see it.
  func deliver(_ header: V1.EventHeader, _ body: [UInt8]) {
    guard header.sequence > 0 else {
      handler.deliverVolatile(header, body, to: self)
      return
    }
    let item = SharedItem(body)
    remember(Recent(header: header, item: item))
    for session in sessions { queue(header, item, for: session) }
    handler.didDeliver(header, body, to: self)
  }

  /// Hands on an event that has no number.
  func pass(_ header: V1.EventHeader, _ body: [UInt8]) {
    let item = SharedItem(body)
    for session in sessions where session.maySee(header) { session.queue(item) }
  }

  /// The numbering is another one: what is kept here belongs to nobody's position any more.
  func forgetRecent() { recent = [] }

  /// Whether somebody who stands at a position can be caught up with at most so many of the events
  /// that are kept here. Where nobody stands yet, the stream begins with whoever is placed first.
  func continues(_ position: StreamCursor, within limit: UInt64) -> Bool {
    guard let newest = follower.cursor else { return true }
    guard newest.epoch == position.epoch else { return false }
    if newest.sequence <= position.sequence { return true }
    guard newest.sequence - position.sequence <= limit, let oldest = recent.first?.header.sequence
    else { return false }
    return oldest <= position.sequence + 1
  }

  /// The client stands at `cursor` from now on, and gets what has come since.
  func place(_ session: Session, at cursor: StreamCursor) {
    guard let stream else { return }
    session.cursors[stream] = cursor
    if follower.cursor == nil { follower.reset(epoch: cursor.epoch, sequence: cursor.sequence) }
    catchUp(session)
  }

  /// Gives a client that stands at its cursor what has come since.
  func catchUp(_ session: Session) {
    guard let stream, let reached = session.cursors[stream]?.sequence else { return }
    // Most who come stand at the end, or a few events before it.
    let known = recent.lastIndex { $0.header.sequence <= reached } ?? -1
    for event in recent[(known + 1)...] { queue(event.header, event.item, for: session) }
  }

  /// The numbered events behind a place, as far as they are kept here.
  func events(after cursor: StreamCursor) -> [(header: V1.EventHeader, body: [UInt8])] {
    recent.filter {
      $0.header.epoch == cursor.epoch && $0.header.sequence > cursor.sequence
    }.map { ($0.header, $0.item.body) }
  }

  /// Gives one client an event it missed.
  func give(_ event: V1.PackedEvent, to session: Session) {
    if let header = event.header { queue(header, SharedItem(event.body), for: session) }
  }

  private func queue(_ header: V1.EventHeader, _ item: SharedItem, for session: Session) {
    guard let stream, var cursor = session.cursors[stream], header.epoch == cursor.epoch else {
      return
    }
    switch cursor.arrive(epoch: header.epoch, sequence: header.sequence) {
    case .take:
      session.cursors[stream] = cursor
      if session.maySee(header) { session.queue(handler.form(of: item, for: session)) }
    case .skip:
      break
    case .catchUp:
      onGap(session)
    }
  }

  private func remember(_ event: Recent) {
    if recent.count == Self.mostRecent { recent.removeFirst() }
    recent.append(event)
    if recent.count > Self.mostFramed {
      recent[recent.count - 1 - Self.mostFramed].item.forgetFrame()
    }
  }
}
