import MeetingModel

/// An engine that is attached.
struct AttachedEngine: Sendable {
  let token: EngineToken
  let description: EngineDescription

  /// When it attached, in milliseconds of epoch time.
  let attachedAtMs: UInt64

  /// Pieces that it may be sent.
  var credit: Int
  var lastReport: ContinuousClock.Instant

  /// Talkers' streams that it works on.
  var streams: Set<StreamID> = []

  var isFull: Bool { streams.count >= description.maxStreams }

  /// How much of what it can do it does.
  var load: Double { Double(streams.count) / Double(description.maxStreams) }
}

/// Where a stream belongs.
struct StreamRecord: Sendable {
  let meeting: MeetingID
  let talker: ParticipantID
  let engine: EngineToken

  /// The place in the talker's time line of the stream's first sample.
  let base: UInt64

  /// The end of what was sent, in the talker's time line.
  var through: UInt64

  /// When it is forgotten; `nil` while speech goes into it.
  var closing: ContinuousClock.Instant?
}
