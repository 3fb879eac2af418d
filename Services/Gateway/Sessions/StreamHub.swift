import Bus
import MeetingModel
import Wire

/// One stream of one meeting, and the clients here that follow it.
///
/// Each event is packed by its service and handed on as it is; the newest stay here, so that a client
/// whose beginning is a few events behind is caught up without asking.
final class StreamHub {
  let meeting: MeetingID
  let stream: MeetingStream
  let follower = StreamFollower()

  /// A client's position is older than what is kept here: it must be given what it lacks.
  var onGap: ((Session) -> Void)?

  /// How an item is shown to a client that reads the stream in another form.
  var convert: ((SharedItem, Session) -> SharedItem)?

  /// The clients here, in the order they came.
  private(set) var sessions: [Session] = []

  /// How many sessions are on their way here.
  var openings = 0

  private var recent: [Recent] = []

  private static let mostRecent = 512

  /// An event that was handed on.
  private struct Recent {
    let header: V1.EventHeader
    let item: SharedItem
  }

  init(_ stream: MeetingStream, of meeting: MeetingID) {
    (self.stream, self.meeting) = (stream, meeting)
  }

  var isUnused: Bool { sessions.isEmpty && openings == 0 }

  func add(_ session: Session) { sessions.append(session) }

  func remove(_ id: SessionID) { sessions.removeAll { $0.id == id } }

  /// Hands a numbered event to every client that may see it.
  func deliver(_ header: V1.EventHeader, _ body: [UInt8]) {
    let item = SharedItem(body)
    remember(Recent(header: header, item: item))
    for session in sessions { queue(header, item, for: session) }
  }

  /// The numbering is another one: what is kept here belongs to nobody's position any more.
  func forgetRecent() { recent = [] }

  /// Gives a client that stands at its cursor what has come since.
  func catchUp(_ session: Session) {
    for event in recent { queue(event.header, event.item, for: session) }
  }

  /// Gives one client an event it missed.
  func give(_ event: V1.PackedEvent, to session: Session) {
    if let header = event.header { queue(header, SharedItem(event.body), for: session) }
  }

  private func queue(_ header: V1.EventHeader, _ item: SharedItem, for session: Session) {
    guard var cursor = session.cursors[stream], header.epoch == cursor.epoch else { return }
    switch cursor.arrive(epoch: header.epoch, sequence: header.sequence) {
    case .take:
      session.cursors[stream] = cursor
      if session.maySee(header) { session.queue(convert?(item, session) ?? item) }
    case .skip:
      break
    case .catchUp:
      onGap?(session)
    }
  }

  private func remember(_ event: Recent) {
    if recent.count >= 2 * Self.mostRecent { recent.removeFirst(recent.count - Self.mostRecent) }
    recent.append(event)
  }
}
