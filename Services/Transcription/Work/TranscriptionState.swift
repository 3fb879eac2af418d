import MeetingModel

/// The state of a meeting's transcription, for operators.
struct TranscriptionState: Sendable, Hashable {
  /// The settings; `nil` while no transcription runs.
  var settings: TranscriptionSettings?

  /// The last status; `nil` if the meeting has had no transcription.
  var status: TranscriptionStatus?

  /// The talkers who speak or have waiting speech, in the order of their ids.
  var talkers: [TalkerState]
}

/// The state of one talker's speech.
struct TalkerState: Sendable, Hashable {
  var speaker: ParticipantIdentity

  /// The id of the engine that processes the speech; `nil` for none.
  var engine: String?

  /// The language that the engine recognizes.
  var language: LanguageCode?

  /// The length of the speech that waits or that the engine has not finished, in milliseconds.
  var backlogMs: UInt64

  /// The duration of the speech that the service dropped since the start, in milliseconds.
  var droppedMs: UInt64
}

/// The state of an attached engine, for operators.
struct EngineState: Sendable, Hashable {
  var description: EngineDescription

  /// The number of talkers whose speech the engine processes.
  var streams: Int

  /// The length of the speech that waits for the engine or that the engine has not finished, in
  /// milliseconds.
  var backlogMs: UInt64

  /// The time at which the engine attached, in milliseconds since 1970-01-01T00:00:00Z.
  var attachedAtMs: UInt64
}
