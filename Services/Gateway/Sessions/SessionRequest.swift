import Bus
import MeetingModel
import Wire

/// A client's request to start a session, from any interface.
///
/// The code of the interface has already made all checks that need no store.
struct SessionRequest {
  let credentials: SessionCredentials
  var isMuted = false

  /// Whether the client will report its mute state only after the join.
  var isMuteUnknown = false

  /// Whether a host muted the session that the client resumes, and the client has not unmuted
  /// itself since.
  var isMutedByHost = false

  /// The sources, subscriptions and pauses of the client.
  var choices = V1.VideoChoices()

  /// The client's use of media.
  var media = ClientMediaUse()

  /// The client's languages, and the form in which the client reads transcripts.
  var transcripts = TranscriptPreferences()

  /// The session to resume; `nil` to start a new session.
  var resumed: SessionID?

  /// The id of the new session, if the client cannot learn an id from the gateway; `nil` if the
  /// gateway may choose any free id.
  var named: SessionID?

  /// The client's W3C Trace Context; empty if the client sent none.
  var traceparent = ""

  /// The client's position in each stream.
  var positions: [MeetingStream: StreamCursor] = [:]

  var meeting: MeetingID { credentials.meeting }
  var participant: ParticipantID { credentials.participant }
}

extension [MeetingStream: StreamCursor] {
  /// Reads positions from a client's message.
  ///
  /// Skips unknown streams: a newer gateway may have sent the positions of these streams to the
  /// client.
  init(_ positions: [V1.StreamPosition]) {
    self = positions.reduce(into: [:]) { cursors, position in
      guard let stream = MeetingStream(rawValue: position.stream) else { return }
      cursors[stream] = StreamCursor(epoch: position.epoch, sequence: position.sequence)
    }
  }
}
