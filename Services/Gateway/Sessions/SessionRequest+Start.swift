import Bus
import MeetingModel
import ServiceHost
import Wire

extension SessionRequest {
  private static let mostPositions = 16

  /// Reads the Start of a client that is connected over ZeroMQ.
  ///
  /// - Throws: The same error for every kind of bad credentials; `invalidArgument` for other
  ///   faults.
  init(_ start: V1.StartRequest, traceparent: String) throws(Status) {
    credentials = try SessionCredentials(
      meetingID: start.meetingID, attendeeID: start.attendeeID, joinToken: start.joinToken)
    resumed = try Self.session(start.sessionID)
    try Self.check(start.positions)
    isMuted = start.isMuted
    choices = start.video ?? V1.VideoChoices()
    try choices.check()
    media = ClientMediaUse(start)
    transcripts = try TranscriptPreferences(start)
    positions = [MeetingStream: StreamCursor](start.positions)
    self.traceparent = traceparent
  }

  private static func session(_ bytes: [UInt8]) throws(Status) -> SessionID? {
    guard !bytes.isEmpty else { return nil }
    guard let id = SessionID(bytes: bytes) else {
      throw Status(
        .invalidArgument, "session_id must be empty or have 16 bytes.", reason: .malformed)
    }
    return id
  }

  private static func check(_ positions: [V1.StreamPosition]) throws(Status) {
    guard positions.count <= mostPositions else {
      throw Status(
        .invalidArgument,
        "A Start may have at most \(mostPositions) positions; got \(positions.count).",
        reason: .malformed)
    }
  }
}

extension V1.StartRequest {
  /// Returns the label that logs use for the session of a Start.
  func label(in traceparent: String) -> SessionLabel {
    SessionLabel(
      SessionID(bytes: sessionID), of: try? ParticipantID(attendeeID),
      in: try? MeetingID(meetingID), traceparent: traceparent)
  }
}
