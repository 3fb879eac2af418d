import MeetingModel

/// An attached engine.
struct AttachedEngine: Sendable {
  let token: EngineToken
  let description: EngineDescription

  /// The time of attachment, in milliseconds of epoch time.
  let attachedAtMs: UInt64

  /// The number of pieces that it may still be sent.
  var credit: Int
  var lastReport: ContinuousClock.Instant

  /// The talkers' streams that it works on.
  var streams: Set<StreamID> = []

  var isFull: Bool { streams.count >= description.maxStreams }

  /// The share of its capacity that is in use.
  var load: Double { Double(streams.count) / Double(description.maxStreams) }
}

/// The talker and the engine of a stream.
struct StreamRecord: Sendable {
  let meeting: MeetingID
  let talker: ParticipantID
  let engine: EngineToken

  /// The position of the stream's first sample on the talker's timeline.
  let base: UInt64

  /// The end of the speech that was sent, on the talker's timeline.
  var through: UInt64

  /// When the stream is closed; `nil` while speech may be sent.
  var closing: ContinuousClock.Instant?
}
