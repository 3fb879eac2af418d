import Bus
import MeetingModel
import ServiceHost
import Wire

/// One client in one meeting, as its gateway knows it. Soft state: a gateway that starts anew gets
/// it from the client's next Start.
final class Session {
  let number: SessionNumber
  let id: SessionID
  let meeting: MeetingID

  /// The meeting that the client sees and hears: of a replica its primary.
  let sourceMeeting: MeetingID
  let participant: ParticipantID
  let link: any ClientLink

  /// The connection that it came by; `nil` for a link that has no routes.
  let route: Route?

  /// The trace of its Start, the client's or one of its own: what services are told of the
  /// session's coming and going belongs to it.
  let trace: TraceParent

  /// What its Start said, until it is open.
  var opening: SessionOpening?

  /// What presence was told; said again to each new term.
  var record: V1.GatewaySession

  /// Whether it acts in the primary of its replica; said again to each new term likewise.
  var promotion = Promotion()

  /// How far the client was told of each stream.
  var cursors = StreamCursors()

  /// Where the client stands in the streams that it waits to be given more of.
  var owed: [MeetingStream: StreamCursor] = [:]

  /// Data messages of the client that messaging has not answered.
  var outgoing = OutgoingMessages(at: WallClock.nowMs)

  /// What the client chose about video; said again to each new term of video-tiles.
  var choices: V1.VideoChoices

  /// How the client uses media; said again to each new term of media.
  var media: MediaPreferences

  /// How the client reads transcripts; said again to each new term of transcription.
  var transcripts: TranscriptPreferences

  /// What the client asked for last, until presence has answered it.
  var requestedMute = RequestedMute()

  /// Whether the client has muted itself, by the last that it asked for.
  ///
  /// Everybody may hear of a mute before the gateway has presence's answer: who asks whether a call
  /// changes anything has to look here, not at ``record``.
  var isMutedByItself: Bool { requestedMute.isMuted ?? record.isMuted }

  /// When the client was last heard.
  var lastHeard: ContinuousClock.Instant

  /// Requests the client may make.
  var requests: TokenBucket

  /// Levels were held back while the client was slow: it gets them all when it has caught up.
  var owesLevels = false

  private let flushing: FlushQueue

  /// The participant as events name it.
  private let name: IDText

  init(
    _ number: SessionNumber, id: SessionID, record: V1.GatewaySession, meeting: MeetingID,
    opening: SessionOpening, link: any ClientLink, route: Route?, requests: TokenBucket,
    flushing: FlushQueue, now: ContinuousClock.Instant
  ) {
    let request = opening.request
    (self.number, self.id, self.record, self.meeting) = (number, id, record, meeting)
    (self.opening, self.link, self.route) = (opening, link, route)
    trace = TraceParent(request.traceparent) ?? .random()
    (choices, media, transcripts) = (request.choices, request.media, request.transcripts)
    (self.flushing, self.requests) = (flushing, requests)
    sourceMeeting = (try? MeetingID(record.primaryMeetingID)) ?? meeting
    participant = request.participant
    name = IDText(record.participantID)
    lastHeard = now
    owed = request.positions
  }

  /// What logs call it.
  var label: SessionLabel {
    SessionLabel(id, of: participant, in: meeting, traceparent: trace.text)
  }

  /// The same for a request of the client that has a trace of its own, unless it has none.
  func label(in traceparent: String) -> SessionLabel {
    SessionLabel(
      id, of: participant, in: meeting,
      traceparent: TraceParent(traceparent) == nil ? trace.text : traceparent)
  }

  /// Whether the client's stream has begun.
  var isOpen: Bool { opening == nil }

  /// The meeting whose data messages and transcripts the client reads. `nil` for a content share,
  /// which reads none.
  var messagesMeeting: MeetingID? {
    participant.isContent ? nil : sourceMeeting
  }

  /// Whether the client is in a replica, where it only watches unless it is promoted.
  var isReplica: Bool { sourceMeeting != meeting }

  /// As whom the client acts, and where: in a replica as nobody whom others see, while it is
  /// promoted as an attendee of the primary.
  var actor: V1.GatewaySession { promotion.record ?? record }

  /// The participant that it acts as.
  var actorID: ParticipantID {
    promotion.record.flatMap { try? ParticipantID($0.participantID) } ?? participant
  }

  /// Whether what the client sends goes nowhere.
  var onlyWatches: Bool { isReplica && promotion.record == nil }

  /// The client is given nothing more of a stream until its service has said what it lacks.
  func lose(_ stream: MeetingStream) {
    guard let cursor = cursors[stream] else { return }
    owed[stream] = cursor
    cursors[stream] = nil
  }

  /// Queues an item; it leaves at the end of this turn of the loop, with what else came in it.
  func queue(_ item: SharedItem) {
    if link.isEmpty { flushing.sessions.append(self) }
    flushing.items += 1
    link.queue(item)
  }

  /// Queues one event that has no number.
  func queue(_ event: V1.SessionEvent.Event) {
    queue(SharedItem(V1.SessionEvents(events: [V1.SessionEvent(event: event)])))
  }

  /// Whether an event's header lets this client see it.
  func maySee(_ header: V1.EventHeader) -> Bool {
    if let promoted = promotion.record.map({ IDText($0.participantID) }) {
      return maySee(header) { $0 == name || $0 == promoted }
    }
    return maySee(header) { $0 == name }
  }

  private func maySee(_ header: V1.EventHeader, _ isOwn: (IDText) -> Bool) -> Bool {
    let (only, except) = (header.onlyForInPlace, header.exceptForInPlace)
    if !only.isEmpty, !only.contains(where: isOwn) { return false }
    return !except.contains(where: isOwn)
  }
}

/// The sessions that have something waiting in this turn of the loop.
final class FlushQueue {
  var sessions: [Session] = []

  /// How many items wait, once for each session.
  var items = 0
}

extension V1.GatewaySession {
  /// Who it is in its meeting.
  var attendee: V1.AttendeeInfo {
    V1.AttendeeInfo(
      attendeeID: participantID, externalUserID: externalUserID, displayName: displayName)
  }
}
