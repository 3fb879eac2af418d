import Bus
import MeetingModel
import ServiceHost
import Wire

/// One client in one meeting, as its gateway knows it.
///
/// This is soft state: a gateway that restarts rebuilds it from the client's next Start.
final class Session {
  let number: SessionNumber
  let id: SessionID
  let meeting: MeetingID

  /// The meeting that the client sees and hears.
  ///
  /// In a replica this is the primary.
  let sourceMeeting: MeetingID
  let participant: ParticipantID
  let link: any ClientLink

  /// The client's connection; `nil` for a link that has no routes.
  let route: Route?

  /// The trace of the Start, from the client or a new one.
  ///
  /// Services trace the session's start and end under it.
  let trace: TraceParent

  /// What the Start requested; `nil` once the session is open.
  var opening: SessionOpening?

  /// The record announced to presence.
  ///
  /// Each new term receives it again.
  var record: V1.GatewaySession

  /// The session's promotion into the primary of its replica.
  ///
  /// Each new term receives it again.
  var promotion = Promotion()

  /// The client's position in each stream.
  var cursors = StreamCursors()

  /// The client's positions in the streams whose missed events it waits for.
  var owed: [MeetingStream: StreamCursor] = [:]

  /// Data messages of the client that messaging has not answered.
  var outgoing = OutgoingMessages(at: WallClock.nowMs)

  /// The client's choices about video.
  ///
  /// Each new term of video-tiles receives them again.
  var choices: V1.VideoChoices

  /// The client's use of media.
  ///
  /// Each new term of media receives it again.
  var media: MediaPreferences

  /// The client's use of transcripts.
  ///
  /// Each new term of transcription receives it again.
  var transcripts: TranscriptPreferences

  /// The mute that the client last requested, until presence has answered.
  var requestedMute = RequestedMute()

  /// Whether the client has muted itself, according to its newest request.
  ///
  /// Others may receive a mute before presence answers the gateway. To decide whether a call
  /// changes anything, read this property and not ``record``.
  var isMutedByItself: Bool { requestedMute.isMuted ?? record.isMuted }

  /// The time of the last request or sign of life from the client.
  var lastHeard: ContinuousClock.Instant

  /// The limit on the client's rate of requests.
  var requests: TokenBucket

  /// Whether levels were skipped while the client was slow.
  ///
  /// It receives all of them when it has caught up.
  var owesLevels = false

  private let flushing: FlushQueue

  /// The participant's id, in the form of event headers.
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

  /// The session's label in logs.
  var label: SessionLabel {
    SessionLabel(id, of: participant, in: meeting, traceparent: trace.text)
  }

  /// Returns the label for a request of the client, with the request's own trace if it has one.
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

  /// The record under which the client acts.
  ///
  /// In a replica no other attendee sees it, unless the client is promoted: then it is an attendee
  /// of the primary.
  var actor: V1.GatewaySession { promotion.record ?? record }

  /// The participant as which the client acts.
  var actorID: ParticipantID {
    promotion.record.flatMap { try? ParticipantID($0.participantID) } ?? participant
  }

  /// Whether the client may only watch: what it sends reaches no other attendee.
  var onlyWatches: Bool { isReplica && promotion.record == nil }

  /// Stops a stream to the client until the service has sent what the client lacks.
  func lose(_ stream: MeetingStream) {
    guard let cursor = cursors[stream] else { return }
    owed[stream] = cursor
    cursors[stream] = nil
  }

  /// Queues an item.
  ///
  /// It is sent at the end of this turn of the event loop, with the turn's other items.
  func queue(_ item: SharedItem) {
    if link.isEmpty { flushing.sessions.append(self) }
    flushing.items += 1
    link.queue(item)
  }

  /// Queues one event that has no number.
  func queue(_ event: V1.SessionEvent.Event) {
    queue(SharedItem(V1.SessionEvents(events: [V1.SessionEvent(event: event)])))
  }

  /// Returns whether an event's header allows this client to see the event.
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

/// The sessions with items to send in this turn of the event loop.
final class FlushQueue {
  var sessions: [Session] = []

  /// The number of items that wait.
  ///
  /// An item for several sessions counts once for each.
  var items = 0
}

extension V1.GatewaySession {
  /// The attendee in its meeting.
  var attendee: V1.AttendeeInfo {
    V1.AttendeeInfo(
      attendeeID: participantID, externalUserID: externalUserID, displayName: displayName)
  }
}
