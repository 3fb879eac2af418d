import Bus
import MeetingModel
import ServiceHost
import Wire

/// One client in one meeting, from the gateway's point of view.
///
/// The gateway does not store the session. After a restart, it rebuilds the session from the
/// client's next Start.
final class GatewayClientSession {
  let number: SessionNumber
  let id: SessionID
  let meeting: MeetingID

  /// The meeting that the client sees and hears. For a replica, this is the primary.
  let sourceMeeting: MeetingID
  let participant: ParticipantID
  let link: any ClientLink

  /// The client's ZeroMQ connection; `nil` for other transports.
  let route: RoutingID?

  /// The trace of the Start: the client's trace, or a new trace.
  ///
  /// Services use this trace for the start and the end of the session.
  let trace: TraceParent

  /// The state of the opening; `nil` after the session has opened.
  var opening: OpeningSession?

  /// The record that the gateway announces to `presence` in each new term.
  var record: V1.GatewaySession

  /// The session's promotion from its replica into the primary. The gateway announces the promotion
  /// to `presence` again in each new term.
  var promotion = Promotion()

  /// The client's position in each stream.
  var cursors = StreamCursors()

  /// For each stream in which the client waits for missed events, the client's position.
  var owed: [MeetingStream: StreamCursor] = [:]

  /// The client's data messages that `messaging` has not answered.
  var outgoing = PendingClientMessages(at: WallClock.nowMs)

  /// The client's choices about video. The gateway announces these choices to `video-tiles` again
  /// in each new term.
  var choices: V1.VideoChoices

  /// The client's use of media. The gateway sends these values to `media` again in each new term.
  var media: ClientMediaUse

  /// The client's use of transcripts. The gateway announces these values to `transcription` again
  /// in each new term.
  var transcripts: TranscriptPreferences

  /// The mute state that the client last requested, until `presence` has answered the request.
  var requestedMute = RequestedMute()

  /// Whether the client has muted itself, according to its newest request.
  ///
  /// Other clients may receive a mute before the gateway gets the answer of `presence`. To decide
  /// whether a call changes anything, read this property and not ``record``.
  var isMutedByItself: Bool { requestedMute.isMuted ?? record.isMuted }

  /// Whether a host has muted the client since the client last changed its mute state.
  ///
  /// A browser repeats its mute state in each SUBSCRIBE. A repeated state does not lift a host's
  /// mute.
  private(set) var isMutedByHost: Bool

  /// The mute state in the newest event of `presence` since the client's last request; `nil` if
  /// there is no such event.
  private var reportedMute: Bool?

  /// Records the start of the client's request to mute or unmute itself.
  func willRequestMute() { reportedMute = nil }

  /// Records the mute state that `presence` has accepted from the client.
  ///
  /// If an event since the request has reported the opposite state, the event applies: a host may
  /// have muted the client after the request. If the event belongs to an earlier request, the event
  /// of this request corrects the mute later.
  func acceptMute(_ isMuted: Bool) {
    guard reportedMute == nil || reportedMute == isMuted else { return }
    isMutedByHost = false
    noteMute(isMuted)
  }

  /// Records the mute state that an event of `presence` has reported.
  ///
  /// - Returns: Whether a host muted the client, or the client lifted a host's mute.
  func reportMute(_ isMuted: Bool) -> Bool {
    reportedMute = isMuted
    guard isMuted ? !isMutedByItself : isMutedByHost else { return false }
    isMutedByHost = isMuted
    noteMute(isMuted)
    return true
  }

  private func noteMute(_ isMuted: Bool) {
    record.isMuted = isMuted
    record.isMuteUnknown = false
    promotion.change {
      $0.isMuted = isMuted
      $0.isMuteUnknown = false
    }
  }

  /// The time at which the client last sent a request or a keep-alive.
  var lastHeard: ContinuousClock.Instant

  /// The limit on the client's rate of requests.
  var requests: TokenBucket

  /// Whether the gateway has skipped levels for this client because the client was slow.
  ///
  /// When the client has read all waiting items, the gateway sends the client the present levels.
  var owesLevels = false

  private let flushing: SessionsToFlush

  /// The participant's id, in the form that event headers use.
  private let name: IDText

  init(
    _ number: SessionNumber, id: SessionID, record: V1.GatewaySession, meeting: MeetingID,
    opening: OpeningSession, link: any ClientLink, route: RoutingID?, requests: TokenBucket,
    flushing: SessionsToFlush, now: ContinuousClock.Instant
  ) {
    let request = opening.request
    (self.number, self.id, self.record, self.meeting) = (number, id, record, meeting)
    (self.opening, self.link, self.route) = (opening, link, route)
    isMutedByHost = request.isMutedByHost
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

  /// Returns the label for a request of the client. If the request has its own trace, the label
  /// contains this trace.
  func label(in traceparent: String) -> SessionLabel {
    SessionLabel(
      id, of: participant, in: meeting,
      traceparent: TraceParent(traceparent) == nil ? trace.text : traceparent)
  }

  /// Whether the session has opened, that is, whether the client's stream has begun.
  var isOpen: Bool { opening == nil }

  /// The meeting whose data messages and transcripts the client reads; `nil` for a content share,
  /// which reads none.
  var messagesMeeting: MeetingID? {
    participant.isContent ? nil : sourceMeeting
  }

  /// Whether the client is in a replica. In a replica, the client only watches, unless the client
  /// is promoted.
  var isReplica: Bool { sourceMeeting != meeting }

  /// The record under which the client acts: in a promotion, the record of the primary's attendee.
  ///
  /// Without a promotion, no other attendee sees the client of a replica.
  var actor: V1.GatewaySession { promotion.record ?? record }

  /// The participant under which the client acts.
  var actorID: ParticipantID {
    promotion.record.flatMap { try? ParticipantID($0.participantID) } ?? participant
  }

  /// Whether the client may only watch: its media and messages reach no other attendee.
  var onlyWatches: Bool { isReplica && promotion.record == nil }

  /// Stops sending the client the events of a stream, until the service has sent the events that
  /// the client has missed.
  func lose(_ stream: MeetingStream) {
    guard let cursor = cursors[stream] else { return }
    owed[stream] = cursor
    cursors[stream] = nil
  }

  /// Queues an item. The gateway sends the item at the end of this turn of the event loop, together
  /// with the turn's other items.
  func queue(_ item: PackedSessionEvents) {
    if link.isEmpty { flushing.sessions.append(self) }
    flushing.items += 1
    link.queue(item)
  }

  /// Queues one event without a number.
  func queue(_ event: V1.SessionEvent.Event) {
    queue(PackedSessionEvents(V1.SessionEvents(events: [V1.SessionEvent(event: event)])))
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
final class SessionsToFlush {
  var sessions: [GatewayClientSession] = []

  /// The number of waiting items. An item for several sessions counts once for each session.
  var items = 0
}

extension V1.GatewaySession {
  /// The attendee in its meeting.
  var attendee: V1.AttendeeInfo {
    V1.AttendeeInfo(
      attendeeID: participantID, externalUserID: externalUserID, displayName: displayName)
  }
}
