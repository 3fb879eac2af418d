import MeetingModel

/// An effect of a decision. The service carries out effects in order.
enum TranscriptionEffect: Sendable, Hashable {
  /// Publishes an event in a meeting's stream.
  case publish(MeetingID, TranscriptEvent, TranscriptAudience)
  /// Requests a meeting's speech from `media`.
  case follow(MeetingID)
  /// Stops requesting a meeting's speech.
  case unfollow(MeetingID)
  /// Grants credit for more chunks to `media`.
  case grant(MeetingID, UInt32)
  /// Sends an item to an engine.
  case send(EngineAttachmentID, EngineInput)
  /// Ends an engine's stream.
  case detach(EngineAttachmentID, Status)
  /// Logs that results of an engine were dropped. `count` is the number of dropped results since
  /// the last log line.
  case noteRejection(engine: String, ResultFault, count: Int)
  /// Ends the meeting's event stream.
  case forget(MeetingID)
}
