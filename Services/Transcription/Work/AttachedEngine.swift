import MeetingModel

/// An attached engine.
struct AttachedEngine: Sendable {
  let token: EngineAttachmentID
  let description: EngineDescription

  /// The time at which the engine attached, in milliseconds since 1970.
  let attachedAtMs: UInt64

  /// The number of pieces that the service may still send to the engine.
  var credit: Int
  var lastReport: ContinuousClock.Instant

  /// The talkers' streams that the engine processes.
  var streams: Set<SpeechStreamID> = []

  var isFull: Bool { streams.count >= description.maxStreams }

  /// The share of the engine's capacity that is in use.
  var load: Double { Double(streams.count) / Double(description.maxStreams) }
}

/// The talker and the engine of a stream.
struct EngineStreamAssignment: Sendable {
  let meeting: MeetingID
  let talker: ParticipantID
  let engine: EngineAttachmentID

  /// The position of the stream's first sample on the talker's timeline.
  let base: UInt64

  /// The end of the sent speech, on the talker's timeline.
  var through: UInt64

  /// The time at which the service closes the stream; `nil` while the service may send speech.
  var closing: ContinuousClock.Instant?
}
