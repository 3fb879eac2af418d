import Bus
import MeetingModel
import Storage
import Wire

/// A Start as a client sent it, checked as far as that is possible without the store.
struct SessionRequest {
  let meeting: MeetingID
  let participant: ParticipantID
  let token: JoinToken
  let isMuted: Bool

  /// Sources, subscriptions and pauses, as the client has them now.
  let choices: V1.VideoChoices

  /// What of media the client uses, and how.
  let media: MediaPreferences

  /// How it reads transcripts, and what it speaks.
  let transcripts: TranscriptPreferences

  /// The session to resume; `nil` for a new one.
  let resumed: SessionID?

  /// The id of a new session whose client can be given none; `nil`: any that is free.
  var named: SessionID?

  /// The client's W3C Trace Context, or empty.
  let traceparent: String

  /// How far the client had come in each stream.
  let positions: [MeetingStream: StreamCursor]

  private static let mostPositions = 16
  private static let longestToken = 2_048

  /// - Throws: One answer for every kind of bad credentials; `invalidArgument` for the rest.
  init(_ request: V1.StartRequest, traceparent: String) throws(Status) {
    guard let meeting = try? MeetingID(request.meetingID),
      let participant = try? ParticipantID(request.attendeeID),
      request.joinToken.utf8.count <= Self.longestToken
    else { throw Self.refused }
    if request.sessionID.isEmpty {
      resumed = nil
    } else if let id = SessionID(bytes: request.sessionID) {
      resumed = id
    } else {
      throw Status(.invalidArgument, "session_id has 16 bytes.", reason: .malformed)
    }
    guard request.positions.count <= Self.mostPositions else {
      throw Status(
        .invalidArgument, "At most \(Self.mostPositions) positions are taken.", reason: .malformed)
    }
    self.meeting = meeting
    self.participant = participant
    token = JoinToken(request.joinToken)
    isMuted = request.isMuted
    choices = request.video ?? V1.VideoChoices()
    try choices.check()
    media = MediaPreferences(request)
    transcripts = try TranscriptPreferences(request)
    positions = request.positions.reduce(into: [:]) { positions, position in
      // A stream of a later version is followed by another gateway.
      guard let stream = MeetingStream(rawValue: position.stream) else { return }
      positions[stream] = StreamCursor(epoch: position.epoch, sequence: position.sequence)
    }
    self.traceparent = traceparent
  }

  /// Wrong token, unknown attendee, unknown meeting: which of them is nobody's business.
  static let refused = Status(
    .unauthenticated, "These credentials admit nobody to a meeting.",
    session: .audioAuthenticationRejected, reason: .badCredentials)
}
