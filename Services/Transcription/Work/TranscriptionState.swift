import MeetingModel

/// The state of a meeting's transcription, for operators.
struct TranscriptionState: Sendable, Hashable {
  /// The settings; `nil` while none runs.
  var settings: TranscriptionSettings?

  /// The last status; `nil` if nothing was ever started.
  var status: TranscriptionStatus?

  /// The talkers who speak or whose speech waits, in the order of their ids.
  var talkers: [TalkerState]
}

/// The state of one talker's speech.
struct TalkerState: Sendable, Hashable {
  var speaker: ParticipantIdentity

  /// The id of the engine that processes it; `nil` for none.
  var engine: String?

  /// The language that the engine recognizes.
  var language: LanguageCode?

  /// Speech that waits, or that its engine has not finished, in milliseconds.
  var backlogMs: UInt64

  /// Speech that was dropped since the start, in milliseconds.
  var droppedMs: UInt64
}

/// The state of an attached engine, for operators.
struct EngineState: Sendable, Hashable {
  var description: EngineDescription

  /// The number of talkers that it works on.
  var streams: Int

  /// Speech that waits for it, or that it has not finished, in milliseconds.
  var backlogMs: UInt64

  /// Milliseconds since 1970-01-01T00:00:00Z.
  var attachedAtMs: UInt64
}
