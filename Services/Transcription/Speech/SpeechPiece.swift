/// Consecutive samples of one talker, at 16 kHz with one channel.
struct SpeechPiece: Sendable, Hashable {
  /// The position of the first sample on the talker's timeline.
  var first: UInt64
  var samples: [Int16]

  /// Whether the talker paused after this piece.
  var isEndOfUtterance = false

  /// The position after the last sample.
  var end: UInt64 { first + UInt64(samples.count) }

  var milliseconds: UInt64 { UInt64(samples.count) / SpeechTimeline.samplesPerMillisecond }
}
