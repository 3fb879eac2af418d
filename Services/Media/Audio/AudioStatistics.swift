import MeetingModel

/// How one participant's audio goes. Counts are since it was added.
struct AudioStatistics: Hashable, Sendable {
  /// That came, whatever became of them.
  var packets = 0
  /// Missing when their time had come.
  var lost = 0
  /// Made up for, copies aside.
  var concealed = 0
  /// Rebuilt from the copy in the packet after them.
  var recovered = 0
  /// Came when their time had passed.
  var late = 0
  /// No Opus, too long, or of another stream.
  var refused = 0
  /// Of RFC 3550, in microseconds.
  var jitterMicroseconds: Int64 = 0
  /// What waits to be played, in microseconds.
  var depthMicroseconds: Int64 = 0
  /// In −dBov, smoothed: 0 is the loudest, 127 silence.
  var attenuation: UInt8 = 127
  var volume = VolumeLevel.notSpeaking
  /// Whether it is in the mix.
  var isTalking = false
}
