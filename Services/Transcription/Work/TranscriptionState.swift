import MeetingModel

/// How a meeting's transcription is, for operators.
struct TranscriptionState: Sendable, Hashable {
  /// What is wanted; `nil` while nothing runs.
  var settings: TranscriptionSettings?

  /// The last one; `nil`: nothing was ever started.
  var status: TranscriptionStatus?

  /// Who speaks or waits, in the order of their ids.
  var talkers: [TalkerState]
}

/// How one talker's speech is worked through.
struct TalkerState: Sendable, Hashable {
  var speaker: ParticipantIdentity

  /// Id of the engine that has it; `nil`: none.
  var engine: String?

  /// What it is heard as.
  var language: LanguageCode?

  /// Speech that waits.
  var backlogMs: UInt64

  /// Speech that was never heard, since the start.
  var droppedMs: UInt64
}

/// An engine that is attached, for operators.
struct EngineState: Sendable, Hashable {
  var description: EngineDescription

  /// Talkers that it works on.
  var streams: Int

  /// Speech that waits for it.
  var backlogMs: UInt64

  /// Milliseconds since 1970-01-01T00:00:00Z.
  var attachedAtMs: UInt64
}
