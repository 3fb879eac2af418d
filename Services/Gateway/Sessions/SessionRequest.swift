import Bus
import MeetingModel
import Wire

/// What a client asks for when it starts a session, whichever face it came by. All that can be
/// checked without the store is checked.
struct SessionRequest {
  let credentials: SessionCredentials
  var isMuted = false

  /// Whether the client says only later if it is muted.
  var isMuteUnknown = false

  /// The sources, subscriptions and pauses of the client.
  var choices = V1.VideoChoices()

  /// What of media the client uses, and how.
  var media = MediaPreferences()

  /// How the client reads transcripts, and what it speaks.
  var transcripts = TranscriptPreferences()

  /// The session to resume; `nil` for a new one.
  var resumed: SessionID?

  /// The id of a new session whose client cannot be given one; `nil`: any free id.
  var named: SessionID?

  /// The client's W3C Trace Context, or empty.
  var traceparent = ""

  /// How far the client had come in each stream.
  var positions: [MeetingStream: StreamCursor] = [:]

  var meeting: MeetingID { credentials.meeting }
  var participant: ParticipantID { credentials.participant }
}

extension [MeetingStream: StreamCursor] {
  /// The positions that the wire carries. A stream of a later version is left out, because another
  /// gateway follows it.
  init(_ positions: [V1.StreamPosition]) {
    self = positions.reduce(into: [:]) { cursors, position in
      guard let stream = MeetingStream(rawValue: position.stream) else { return }
      cursors[stream] = StreamCursor(epoch: position.epoch, sequence: position.sequence)
    }
  }
}
