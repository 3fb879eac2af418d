import Bus
import MeetingModel
import Wire

/// One client in one meeting, as its gateway knows it. Soft state: a gateway that starts anew gets it
/// from the client's next Start.
final class Session {
  let id: SessionID
  let meeting: MeetingID
  let participant: ParticipantID
  let link: any ClientLink

  /// What presence was told; said again to each new term.
  var record: V1.GatewaySession

  /// How far the client was told of each stream.
  var cursors = StreamCursors()

  /// Data messages of the client that messaging has not answered.
  var outgoing = OutgoingMessages()

  /// Brings the client its meeting's messages where that has to wait for messaging.
  var fetching: Task<Void, Never>?

  /// What the client chose about video; said again to each new term of video-tiles.
  var choices: V1.VideoChoices

  /// Brings the client onto the tile board where that has to wait for video-tiles.
  var boarding: Task<Void, Never>?

  /// How the client uses media; said again to each new term of media.
  var media: MediaUse

  /// Gets the client its ticket where that has to wait for media.
  var admitting: Task<Void, Never>?

  /// How the client reads transcripts; said again to each new term of transcription.
  var transcripts: TranscriptChoice

  /// How far the client has read transcripts, while it waits for what follows.
  var transcriptPosition: V1.StreamPosition?

  /// Gets the client its transcripts where that has to wait for transcription.
  var reading: Task<Void, Never>?

  /// When the client was last heard.
  var lastHeard: ContinuousClock.Instant

  /// Requests the client may make.
  var requests: TokenBucket

  private let flushing: FlushQueue

  /// The participant as events name it, the record's own text: asked for each event.
  private let name: String

  /// Levels were held back while the client was slow: it gets them all when it has caught up.
  var owesLevels = false

  init(
    id: SessionID, record: V1.GatewaySession, choices: V1.VideoChoices, media: MediaUse,
    transcripts: TranscriptChoice, meeting: MeetingID, participant: ParticipantID,
    link: any ClientLink, requests: TokenBucket,
    flushing: FlushQueue, now: ContinuousClock.Instant
  ) {
    self.flushing = flushing
    self.id = id
    self.record = record
    self.choices = choices
    self.media = media
    self.transcripts = transcripts
    self.meeting = meeting
    self.participant = participant
    name = record.participantID
    self.link = link
    self.requests = requests
    lastHeard = now
  }

  /// The meeting whose data messages and transcripts the client reads: a replica reads its primary's. `nil` for a
  /// content share, which reads none.
  var messagesMeeting: MeetingID? {
    guard !participant.isContent else { return nil }
    return isReplica ? try? MeetingID(record.primaryMeetingID) : meeting
  }

  /// The meeting whose tile board the client is on: a replica's is its primary's.
  var boardMeeting: MeetingID {
    (isReplica ? try? MeetingID(record.primaryMeetingID) : nil) ?? meeting
  }

  /// What video-tiles is told of the session.
  var tileSession: V1.TileSession {
    V1.TileSession(
      meetingID: boardMeeting.text, participantID: record.participantID,
      externalUserID: record.externalUserID, sessionID: id.bytes,
      capabilities: record.capabilities, replicaMeetingID: isReplica ? meeting.text : "",
      choices: choices)
  }

  /// Whether the client is in a replica, where it only watches.
  var isReplica: Bool { !record.primaryMeetingID.isEmpty }

  /// Queues an item; it leaves at the end of this turn of the loop, with what else came in it.
  func queue(_ item: SharedItem) {
    if link.isEmpty { flushing.sessions.append(self) }
    link.queue(item)
  }

  /// Whether an event's header lets this client see it.
  func maySee(_ header: V1.EventHeader) -> Bool {
    if !header.onlyFor.isEmpty, !header.onlyFor.contains(name) { return false }
    return !header.exceptFor.contains(name)
  }
}

/// The sessions that have something waiting in this turn of the loop.
final class FlushQueue {
  var sessions: [Session] = []
}
