/// Consecutive samples of one talker: 16 kHz, one channel.
struct SpeechPiece: Sendable, Hashable {
  /// Place of the first sample in the talker's time line.
  var first: UInt64
  var samples: [Int16]

  /// The talker paused after this.
  var isEndOfUtterance = false

  /// The place behind the last sample.
  var end: UInt64 { first + UInt64(samples.count) }

  var milliseconds: UInt64 { UInt64(samples.count) / SpeechTimeline.samplesPerMillisecond }
}
