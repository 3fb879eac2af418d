import Bus
import MeetingModel
import Wire

/// A client's request to start a session, from any interface.
///
/// Everything that needs no store is already checked.
struct SessionRequest {
  let credentials: SessionCredentials
  var isMuted = false

  /// Whether the client will report its mute only after the join.
  var isMuteUnknown = false

  /// The sources, subscriptions and pauses of the client.
  var choices = V1.VideoChoices()

  /// The client's use of media.
  var media = MediaPreferences()

  /// The client's languages, and the form in which it reads transcripts.
  var transcripts = TranscriptPreferences()

  /// The session to resume; `nil` for a new one.
  var resumed: SessionID?

  /// The id for a new session whose client cannot receive one; `nil`: any free id.
  var named: SessionID?

  /// The client's W3C Trace Context, or empty.
  var traceparent = ""

  /// The client's position in each stream.
  var positions: [MeetingStream: StreamCursor] = [:]

  var meeting: MeetingID { credentials.meeting }
  var participant: ParticipantID { credentials.participant }
}

extension [MeetingStream: StreamCursor] {
  /// Reads positions from the wire.
  ///
  /// Skips streams of later versions, which another gateway follows.
  init(_ positions: [V1.StreamPosition]) {
    self = positions.reduce(into: [:]) { cursors, position in
      guard let stream = MeetingStream(rawValue: position.stream) else { return }
      cursors[stream] = StreamCursor(epoch: position.epoch, sequence: position.sequence)
    }
  }
}
