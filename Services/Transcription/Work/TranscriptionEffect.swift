import MeetingModel

/// What is to be done after a decision, in order.
enum TranscriptionEffect: Sendable, Hashable {
  /// An event for a meeting's stream.
  case publish(MeetingID, TranscriptEvent, TranscriptAudience)
  /// Media is asked for a meeting's speech.
  case follow(MeetingID)
  /// It is not needed any more.
  case unfollow(MeetingID)
  /// Media may send so many chunks more.
  case grant(MeetingID, UInt32)
  /// An item for an engine.
  case send(EngineToken, EngineItem)
  /// An engine's stream ends.
  case detach(EngineToken, Status)
  /// Operators are told which results of an engine are dropped, and how many were since they were
  /// told last.
  case noteRejection(engine: String, ResultFault, count: Int)
  /// The meeting's stream of events ends.
  case forget(MeetingID)
}
