import Bus
import DequeModule
import MeetingModel
import Wire

/// The events of one service in one meeting, and this gateway's sessions that receive these events.
///
/// The services encode the events, and the hub forwards them unchanged. The hub keeps the newest
/// numbered events. So if a session starts a few events behind, the hub can send the session these
/// events without a call to the owner.
final class StreamHub {
  let meeting: MeetingID

  /// The numbered stream; `nil` if all events are volatile.
  let stream: MeetingStream?
  let follower = StreamFollower()

  private unowned let handler: any EventStreamHubHandler
  private let onGap: (GatewayClientSession) -> Void

  /// The sessions that receive the events, in order of registration at the hub.
  private(set) var sessions: [GatewayClientSession] = []

  /// The number of sessions that need the hub but do not receive the hub's events. The gateway has
  /// not opened these sessions yet, or these sessions are in a replica: the gateway does not
  /// forward a replica's own events to clients.
  var holds = 0

  private var recent: Deque<Recent> = []

  private static let mostRecent = 512

  /// The number of newest events whose encoded frames the hub also keeps.
  ///
  /// A session rarely needs an older event.
  private static let mostFramed = 16

  /// An event that the hub has forwarded.
  private struct Recent {
    let header: V1.EventHeader
    let item: PackedSessionEvents
  }

  /// - Parameters:
  ///   - handler: The object that handles the hub's events. It must live longer than the hub.
  ///   - onGap: Called when a client's position is older than the kept events. The client then
  ///     needs events from the owner.
  init(
    _ stream: MeetingStream?, of meeting: MeetingID, for handler: any EventStreamHubHandler,
    onGap: @escaping (GatewayClientSession) -> Void
  ) {
    (self.stream, self.meeting) = (stream, meeting)
    (self.handler, self.onGap) = (handler, onGap)
  }

  var isUnused: Bool { sessions.isEmpty && holds == 0 }

  func add(_ session: GatewayClientSession) { sessions.append(session) }

  func remove(_ session: GatewayClientSession) { sessions.removeAll { $0 === session } }

  /// Delivers an event to every client that may see it.
  func deliver(_ header: V1.EventHeader, _ body: [UInt8]) {
    guard header.sequence > 0 else {
      handler.deliverVolatile(header, body, to: self)
      return
    }
    let item = PackedSessionEvents(body)
    remember(Recent(header: header, item: item))
    for session in sessions { queue(header, item, for: session) }
    handler.didDeliver(header, body, to: self)
  }

  /// Delivers an event that has no number.
  func pass(_ header: V1.EventHeader, _ body: [UInt8]) {
    let item = PackedSessionEvents(body)
    for session in sessions where session.maySee(header) { session.queue(item) }
  }

  /// Drops the kept events. Callers call this method after a change of the epoch, because no
  /// position refers to the kept events any more.
  func forgetRecent() { recent = [] }

  /// Returns whether a session at a position catches up if it receives at most `limit` of the kept
  /// events.
  ///
  /// If the stream has no position yet, returns `true`.
  func continues(_ position: StreamCursor, within limit: UInt64) -> Bool {
    guard let newest = follower.cursor else { return true }
    guard newest.epoch == position.epoch else { return false }
    if newest.sequence <= position.sequence { return true }
    guard newest.sequence - position.sequence <= limit, let oldest = recent.first?.header.sequence
    else { return false }
    return oldest <= position.sequence + 1
  }

  /// Sets a client's position to `cursor`, and sends the client the events after `cursor`.
  func place(_ session: GatewayClientSession, at cursor: StreamCursor) {
    guard let stream else { return }
    session.cursors[stream] = cursor
    if follower.cursor == nil { follower.reset(epoch: cursor.epoch, sequence: cursor.sequence) }
    catchUp(session)
  }

  /// Sends a client the kept events after the client's position.
  func catchUp(_ session: GatewayClientSession) {
    guard let stream, let reached = session.cursors[stream]?.sequence else { return }
    // The position of most new sessions is the end of the stream, or only a few events earlier.
    let known = recent.lastIndex { $0.header.sequence <= reached } ?? -1
    for event in recent[(known + 1)...] { queue(event.header, event.item, for: session) }
  }

  /// Returns the kept numbered events after a position.
  func events(after cursor: StreamCursor) -> [(header: V1.EventHeader, body: [UInt8])] {
    recent.filter {
      $0.header.epoch == cursor.epoch && $0.header.sequence > cursor.sequence
    }.map { ($0.header, $0.item.body) }
  }

  /// Sends one client an event that the client has missed.
  func give(_ event: V1.PackedEvent, to session: GatewayClientSession) {
    if let header = event.header { queue(header, PackedSessionEvents(event.body), for: session) }
  }

  private func queue(
    _ header: V1.EventHeader, _ item: PackedSessionEvents, for session: GatewayClientSession
  ) {
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
